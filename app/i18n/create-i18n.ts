import { createInstance, type i18n, type Resource } from "i18next";
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
export function getTranslation(instance: i18n): Translation {
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

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Encloses a right-to-left value in Unicode isolates, as <bdi> does, so that it does not reorder the rest of its sentence. */
const isolateRightToLeft = (value: string): string =>
  RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;

/** The name of a value in a message: `{{count}}`. */
const PLACEHOLDER = /\{\{(\w+)\}\}/g;

const formatValue = (value: unknown): string =>
  typeof value === "number" ? formatNumber(value) : isolateRightToLeft(String(value));

/**
 * Creates the instance of a language. Its language never changes. A key without a message is reported on the
 * console, which fails every test, and shows as nothing.
 */
export function createI18n(lang: Lang, resources: Readonly<Record<string, MessageTree>>): Translation {
  const addedNamespaces: Record<string, MessageTree> = Object.create(null);
  const add = (namespace: string, messages: MessageTree) => {
    Object.defineProperty(addedNamespaces, namespace, {
      value: withoutPrototype(messages),
      configurable: true,
    });
  };
  // A namespace is read when it is first used (unpackTrees).
  for (const namespace of Object.keys(resources))
    Object.defineProperty(addedNamespaces, namespace, {
      configurable: true,
      get() {
        add(namespace, resources[namespace] as MessageTree);
        return addedNamespaces[namespace];
      },
    });
  const instance = createInstance({
    lng: lang,
    resources: { [lang]: addedNamespaces as Resource[string] },
    load: "currentOnly",
    fallbackLng: false,
    // Every key names its namespace.
    defaultNS: false,
    ns: [],
    // There is no back end to wait for.
    initImmediate: false,
    ignoreJSONStructure: false,
    appendNamespaceToMissingKey: true,
    parseMissingKeyHandler: reportMissing,
    returnedObjectHandler: reportMissing,
    react: { useSuspense: false, bindI18n: "", bindI18nStore: "" },
  });
  void instance.init();
  // Caches messages by key and plural form: i18next's lookup would take most of the rendering time of a long list.
  const cachedMessages = new Map<string, string>();
  const readMessage = instance.t as (key: MessageKey, options: object) => string;
  const plurals = new Intl.PluralRules(lang);
  const findMessage = (key: MessageKey, count: string | number | undefined): string => {
    const form = typeof count !== "number" ? "" : count === 0 ? "zero" : plurals.select(count);
    const cacheKey = `${key} ${form}`;
    const cached = cachedMessages.get(cacheKey);
    if (cached !== undefined) return cached;
    const message = readMessage(key, { count, skipInterpolation: true });
    if (message !== "") cachedMessages.set(cacheKey, message);
    return message;
  };
  // i18next's own insertion takes as long as reading all messages of a page. Values are text: React escapes them, and so does all other code that
  // writes HTML.
  const t: Translate = (key, values) => {
    const message = findMessage(key, values?.count);
    return values ? message.replace(PLACEHOLDER, (_, name: string) => formatValue(values[name])) : message;
  };
  const translation: Translation = { language: lang, t, i18n: instance, add };
  translations.set(instance, translation);
  return translation;
}
