import type { LaterWords } from "~/i18n/later";

/** The words of an event's shop, and of what its pages use of the kit. */
export const SHOP_WORDS: LaterWords = {
  ja: async () => {
    const [{ shop }, { storeStates }] = await Promise.all([
      import("~/i18n/ja/shop"),
      import("~/i18n/ja/store-states"),
    ]);
    return { shop, errors: { store: storeStates } };
  },
  en: async () => {
    const [{ shop }, { storeStates }] = await Promise.all([
      import("~/i18n/en/shop"),
      import("~/i18n/en/store-states"),
    ]);
    return { shop, errors: { store: storeStates } };
  },
};
