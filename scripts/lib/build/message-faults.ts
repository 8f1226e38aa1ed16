/** Finds missing messages and wrong keys, which would otherwise be noticed only on the page that uses them. They fail the build (decision 070). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGS } from "../../../app/domain/shared/lang";
import type { Lang } from "../../../app/domain/shared/model";
import type { Namespace } from "../../../app/i18n/messages";
import { NAMESPACES } from "../../../app/i18n/namespaces";
import { fromRoot } from "../paths";
import { findMessageKeys, messagePaths } from "./message-keys";
import { loadMessageModule, type MessagesByLanguage } from "./packed-messages";

/** The list of namespaces in a route's `handle` and in a call of withMessages. */
const NAMESPACE_LISTS = /\bi18n: \[([^\]]*)\]|\bwithMessages\(\s*\[([^\]]*)\]/g;

/**
 * Finds keys that one language lacks, and uses of namespaces and keys that do not exist.
 * @param modules the text of each module by its path
 * @returns one sentence per fault
 */
export function findMessageFaults(
  messages: MessagesByLanguage,
  modules: Readonly<Record<string, string>>,
): readonly string[] {
  const missingKeys = (lang: Lang, otherLang: Lang) =>
    NAMESPACES.flatMap((namespace) => {
      const ownKeys = new Set(messagePaths(messages[lang][namespace] ?? {}));
      const file = `app/i18n/${lang}/${namespace}.ts`;
      return messagePaths(messages[otherLang][namespace] ?? {})
        .filter((path) => !ownKeys.has(path))
        .map((path) => `${file} has no message "${path}", which the other language has.`);
    });
  const unknownNamespaces = Object.entries(modules).flatMap(([path, text]) =>
    [...text.matchAll(NAMESPACE_LISTS)]
      .flatMap(([, handleList, callList]) => [...(handleList ?? callList ?? "").matchAll(/"([^"]+)"/g)])
      .filter(([, name]) => !NAMESPACES.includes(name as Namespace))
      .map(([, name]) => `${path} names the namespace "${name}", which does not exist.`),
  );
  const keys = new Set(
    NAMESPACES.flatMap((namespace) =>
      LANGS.flatMap((lang) => messagePaths(messages[lang][namespace] ?? {})).map(
        (path) => `${namespace}:${path.replace(/_(zero|one|other)$/, "")}`,
      ),
    ),
  );
  const unknownMessages = Object.entries(modules).flatMap(([path, text]) =>
    findMessageKeys(text)
      // A key that the code completes at run time cannot be checked.
      .filter(({ isWhole }) => isWhole)
      .map((use) => `${use.namespace}:${use.path}`)
      .filter((key) => !keys.has(key))
      .map((key) => `${path} uses the message "${key}", which no language has.`),
  );
  return [...missingKeys("ja", "en"), ...missingKeys("en", "ja"), ...unknownNamespaces, ...unknownMessages];
}

/** `findMessageFaults` for the product's messages and modules, which are read from the disk again at each call. */
export async function findProductMessageFaults(): Promise<readonly string[]> {
  const { resources } = await loadMessageModule();
  const modules = readdirSync(fromRoot("app"), { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => join("app", name).replaceAll("\\", "/"));
  return findMessageFaults(
    resources,
    Object.fromEntries(modules.map((path) => [path, readFileSync(fromRoot(path), "utf8")])),
  );
}
