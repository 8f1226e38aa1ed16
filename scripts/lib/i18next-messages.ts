import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { replaceCode } from "./replace-code";

/** The module of i18next (23) that the worker contains. */
const I18NEXT = /\/i18next\/dist\/esm\/i18next\.js$/;

const SETUP =
  "'This means something IS WRONG in your setup. You access the t function before i18next.init / i18next.loadNamespace / i18next.changeLanguage was done. Wait for the callback or Promise to resolve before accessing it!!!'";

/** Warnings that i18next writes only with its option `debug`, which is never set. */
const WARNINGS = [
  `this.logger.warn(\`key "\${usedKey}" for languages "\${codes.join(', ')}" won't get resolved as namespace "\${usedNS}" was not yet loaded\`, ${SETUP})`,
  `this.logger.warn(\`did not save key "\${key}" as the namespace "\${namespace}" was not yet loaded\`, ${SETUP})`,
  "this.logger.warn('Seems the loaded translations were in flat JSON format instead of nested. Either set keySeparator: false on init or make sure your translations are published in nested format.')",
];

/**
 * Removes the long warnings of i18next, because the worker's size is limited (decision 103).
 * @throws when i18next's code differs from the version for which the list was written
 */
export const removeWarnings = (code: string): string =>
  replaceCode(
    "i18next",
    code,
    WARNINGS.map((warning) => [warning, "void 0"] as const),
  );

/** Replaces i18next in the worker: see removeWarnings. */
export const i18nextMessages: Plugin = {
  name: "i18next-messages",
  setup({ onLoad }) {
    onLoad({ filter: I18NEXT }, ({ path }) => ({ contents: removeWarnings(readFileSync(path, "utf8")) }));
  },
};
