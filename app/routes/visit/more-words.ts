import type { LaterWords } from "~/i18n/later";

/** The words of search, share, tour, floor plan and the question for a password. */
export const MORE_WORDS: LaterWords = {
  ja: async () => {
    const [{ visitMore }, { kitCopy }] = await Promise.all([
      import("~/i18n/ja/visit-more"),
      import("~/i18n/ja/kit-copy"),
    ]);
    return { visitMore, kit: kitCopy };
  },
  en: async () => {
    const [{ visitMore }, { kitCopy }] = await Promise.all([
      import("~/i18n/en/visit-more"),
      import("~/i18n/en/kit-copy"),
    ]);
    return { visitMore, kit: kitCopy };
  },
};
