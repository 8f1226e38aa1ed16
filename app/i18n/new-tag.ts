import type { Localized } from "~/domain/shared/model";

/** Title of a new, unnamed tag. It is known in every language, independent of the page's language. */
export const NEW_TAG_TITLE: Localized = { ja: "新しいタグ", en: "New tag" };
