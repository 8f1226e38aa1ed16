/** Finds faults of messages that a page would show only when it is opened. They fail the build (decision 070). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Lang } from "../../app/domain/shared/model";
import { type MessageTree, NAMESPACES, type Namespace } from "../../app/i18n/messages";
import { messagePaths } from "./message-use";
import { fromRoot, ROOT } from "./paths";

/** Messages by language and namespace. */
type Messages = Readonly<Record<Lang, Readonly<Partial<Record<Namespace, MessageTree>>>>>;

/**
 * Finds keys that one language lacks, and namespaces of routes that do not exist.
 * @param routes source text of each route by its path
 * @returns one sentence per fault
 */
export function findMessageFaults(
  messages: Messages,
  routes: Readonly<Record<string, string>>,
): readonly string[] {
  const missingMessages = (lang: Lang, other: Lang) =>
    NAMESPACES.flatMap((namespace) => {
      const own = new Set(messagePaths(messages[lang][namespace] ?? {}));
      const file = `app/i18n/${lang}/${namespace}.ts`;
      return messagePaths(messages[other][namespace] ?? {})
        .filter((path) => !own.has(path))
        .map((path) => `${file} has no message "${path}", which the other language has.`);
    });
  const unknownNamespaces = Object.entries(routes).flatMap(([path, text]) => {
    const list = /\bi18n: \[([^\]]*)\]/.exec(text)?.[1] ?? "";
    return [...list.matchAll(/"([^"]+)"/g)]
      .filter(([, name]) => !NAMESPACES.includes(name as Namespace))
      .map(([, name]) => `${path} names the namespace "${name}", which does not exist.`);
  });
  return [...missingMessages("ja", "en"), ...missingMessages("en", "ja"), ...unknownNamespaces];
}

/** Applies `faultsIn` to the messages and routes on the disk. It reads them again at each call. */
export async function findProductMessageFaults(): Promise<readonly string[]> {
  const { outputFiles } = await build({
    stdin: { contents: `export { resources } from "./app/i18n/instances.server";`, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    alias: { "~": fromRoot("app") },
    logLevel: "silent",
  });
  const { resources } = (await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`
  )) as { readonly resources: Messages };
  const routes = readdirSync(fromRoot("app/routes"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .map((name) => join("app/routes", name).replaceAll("\\", "/"));
  return findMessageFaults(
    resources,
    Object.fromEntries(routes.map((path) => [path, readFileSync(fromRoot(path), "utf8")])),
  );
}
