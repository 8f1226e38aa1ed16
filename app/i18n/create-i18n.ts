import { createInstance, type i18n, type PostProcessorModule, type Resource } from "i18next";
import type { Lang } from "~/domain/shared/model";
import { formatNumber } from "./format";
import type { MessageKey, MessageTree, Translate } from "./messages";

/** The messages of one language, ready to use. */
export interface Translation {
  readonly language: Lang;
  readonly t: Translate;
  /** For react-i18next's provider. */
  readonly i18n: i18n;
  /** Adds a namespace. */
  readonly add: (namespace: string, messages: MessageTree) => void;
}

const translations = new WeakMap<i18n, Translation>();

/** The messages of an instance that createI18n made. */
export function translationOf(instance: i18n): Translation {
  const translation = translations.get(instance);
  if (!translation) throw new Error("Not an instance of createI18n");
  return translation;
}

function reportMissing(key: string): string {
  console.error(`No message for "${key}"`);
  return "";
}

/** Removes the prototypes from a tree, so that i18next finds only the tree's own keys. */
function withoutPrototype(tree: MessageTree): MessageTree {
  for (const value of Object.values(tree)) if (typeof value === "object") withoutPrototype(value);
  return Object.setPrototypeOf(tree, null) as MessageTree;
}

/** Separates braces in a value that would look like a placeholder: i18next fills the first of two equal placeholders. */
const BETWEEN = "\u0001";

const restoreBraces: PostProcessorModule = {
  type: "postProcessor",
  name: "restore-braces",
  process: (value: string) => value.replaceAll(BETWEEN, ""),
};

/**
 * Creates the instance of a language. Its language never changes. A key without a message is reported on the
 * console, which fails every test, and shows as nothing.
 */
export function createI18n(lang: Lang, resources: Readonly<Record<string, MessageTree>>): Translation {
  const added: Record<string, MessageTree> = Object.create(null);
  const add = (namespace: string, messages: MessageTree) => {
    added[namespace] = withoutPrototype(messages);
  };
  for (const [namespace, messages] of Object.entries(resources)) add(namespace, messages);
  const instance = createInstance({
    lng: lang,
    resources: { [lang]: added as Resource[string] },
    load: "currentOnly",
    fallbackLng: false,
    // Every key names its namespace.
    defaultNS: false,
    ns: [],
    // There is no back end to wait for.
    initImmediate: false,
    ignoreJSONStructure: false,
    interpolation: {
      // React escapes text, and so does all other code that writes HTML.
      escapeValue: false,
      alwaysFormat: true,
      format: (value) =>
        typeof value === "number" ? formatNumber(value) : String(value).replaceAll("{{", `{${BETWEEN}{`),
    },
    postProcess: [restoreBraces.name],
    appendNamespaceToMissingKey: true,
    parseMissingKeyHandler: reportMissing,
    returnedObjectHandler: reportMissing,
    react: { useSuspense: false, bindI18n: "", bindI18nStore: "" },
  });
  void instance.use(restoreBraces).init();
  // Caches texts without values: i18next's lookup and interpolation would take most of the rendering time of a long list.
  const fixed = new Map<MessageKey, string>();
  const write = instance.t as Translate;
  const t: Translate = (key, values) => {
    if (values) return write(key, values);
    const known = fixed.get(key);
    if (known !== undefined) return known;
    const text = write(key);
    if (text !== "") fixed.set(key, text);
    return text;
  };
  const translation: Translation = { language: lang, t, i18n: instance, add };
  translations.set(instance, translation);
  return translation;
}
