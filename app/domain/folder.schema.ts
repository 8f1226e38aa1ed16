import { z } from "zod";
import { formError, textField } from "./fields.schema";
import { FOLDER_NAME_MAX } from "./limits";

/** The form of a folder: {name}. */
export function createFolderSchema() {
  return z.object(
    {
      name: textField({
        max: FOLDER_NAME_MAX,
        required: "errors.folderName.required",
        tooLong: "errors.folderName.tooLong",
      }),
    },
    formError,
  );
}

/** What a valid folder form holds. */
export type FolderValue = z.output<ReturnType<typeof createFolderSchema>>;
