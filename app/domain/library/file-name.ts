import { FILE_NAME_MAX, MEDIA_TITLE_MAX } from "../shared/limits";
import { isBlank, normaliseText } from "../shared/text";

// Control characters, line separators, characters that change the writing direction, lone surrogates, and path separators.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff/\\:]/gu;
const EXTENSION = /\.[A-Za-z0-9]{1,12}$/;

/** Returns at most `max` code points of a text. */
const truncate = (text: string, max: number): string => [...text].slice(0, max).join("");

/**
 * Returns the form in which a file's name is stored. Unsafe characters and path separators are replaced. A name that is too long is cut
 * before its extension. The result is never empty.
 */
export function tidyFileName(name: string): string {
  const safeName = normaliseText(name.replace(UNSAFE, "_"));
  if (isBlank(safeName)) return "file";
  const [extension = ""] = EXTENSION.exec(safeName) ?? [];
  return (
    truncate(safeName.slice(0, safeName.length - extension.length), FILE_NAME_MAX - extension.length) +
    extension
  );
}

/** Returns the default title of a file: its name without the extension. @param fileName result of tidyFileName */
export function titleOfFile(fileName: string): string {
  const stem = normaliseText(truncate(fileName.replace(EXTENSION, ""), MEDIA_TITLE_MAX));
  return isBlank(stem) ? truncate(fileName, MEDIA_TITLE_MAX) : stem;
}
