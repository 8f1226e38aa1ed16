import { FILE_NAME_MAX, MEDIA_TITLE_MAX } from "../shared/limits";
import { isBlank, normaliseText } from "../shared/text";

// Controls, line separators, what turns the direction of other text, halves of characters, and what separates paths.
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff/\\:]/gu;
const EXTENSION = /\.[A-Za-z0-9]{1,12}$/;

/** At most so many characters of a text, none of them cut in two. */
const cut = (text: string, max: number): string => [...text].slice(0, max).join("");

/**
 * A file's name as it is kept: what cannot be stored or would lead elsewhere is replaced, a name that is too long loses its
 * middle and keeps its ending. Never empty.
 */
export function tidyFileName(name: string): string {
  const tidy = normaliseText(name.replace(UNFIT, "_"));
  if (isBlank(tidy)) return "file";
  const [ending = ""] = EXTENSION.exec(tidy) ?? [];
  return cut(tidy.slice(0, tidy.length - ending.length), FILE_NAME_MAX - ending.length) + ending;
}

/** The title that a file gets: its name without the ending. @param fileName tidy */
export function titleOfFile(fileName: string): string {
  const stem = normaliseText(cut(fileName.replace(EXTENSION, ""), MEDIA_TITLE_MAX));
  return isBlank(stem) ? cut(fileName, MEDIA_TITLE_MAX) : stem;
}
