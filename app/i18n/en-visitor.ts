import { kit } from "./en/kit";
import { shell } from "./en/shell";
import { viewer } from "./en/viewer";
import { visit } from "./en/visit";

/** The English words of visitors' pages: all that such a page loads. */
export const visitorEn = { kit, shell, viewer, visit };
