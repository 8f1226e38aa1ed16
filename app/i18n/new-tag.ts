import type { Localized } from "~/domain/shared/model";

/** What a tag is called that was put into the space and that nobody has named yet: known in every language, whichever the page has. */
export const NEW_TAG_TITLE: Localized = { ja: "新しいタグ", en: "New tag" };
