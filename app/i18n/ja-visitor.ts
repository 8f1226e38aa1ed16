import type { visitorEn } from "./en-visitor";
import { kit } from "./ja/kit";
import { shell } from "./ja/shell";
import { viewer } from "./ja/viewer";
import { visit } from "./ja/visit";
import type { Words } from "./words";

/** The Japanese words of visitors' pages. */
export const visitorJa: Words<typeof visitorEn> = { kit, shell, viewer, visit };
