/** SQL that reads files of a conversion, of a row `p` of preparations. */

/** SQL of a file of the conversion in use; NULL if there is none or it must not be used. @param value an expression of a row `f` of prepared_files */
export const preparedFile = (role: "display" | "preview", value: string): string =>
  `(SELECT ${value} FROM prepared_files f WHERE f.item_id = p.item_id AND f.run_id = p.run_id AND f.role = '${role}'
    AND NOT EXISTS (SELECT 1 FROM stored_files s WHERE s.file_key = f.file_key AND s.check_state IS NOT NULL))`;

/** The file that visitors receive instead of the original, as JSON. */
export const displayFile: string = preparedFile(
  "display",
  "json_object('fileKey', f.file_key, 'mimeType', f.mime_type, 'byteSize', f.byte_size, 'width', f.width, 'height', f.height, 'duration', f.duration)",
);
