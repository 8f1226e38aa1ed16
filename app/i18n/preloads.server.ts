import type { Lang } from "~/domain/shared/model";
import type { PageNamespace } from "./load";
import type { PagePart } from "./page-part";

/** URLs of the browser's message files by "language-namespace", and of the files of each part by its name. scripts/lib/build/build.ts defines them. */
declare const MESSAGE_FILES: Readonly<Record<string, string>> | undefined;
declare const PART_FILES: Readonly<Record<string, readonly string[]>> | undefined;

/**
 * Value of a `Link` header with the files that a page needs before it can be used, but does not name in its HTML: a browser would find
 * the messages and the parts only after it has run the page's scripts.
 * @param parts parts that the page shows
 * @param styleSheet URL of the style sheet, which Cloudflare can thus send as an early hint
 */
export function preloadLinks(
  lang: Lang,
  namespaces: Iterable<PageNamespace>,
  parts: readonly Pick<PagePart<unknown>, "file" | "namespaces">[],
  styleSheet: string,
): string {
  const messageFiles = typeof MESSAGE_FILES === "undefined" ? {} : MESSAGE_FILES;
  const partFiles = typeof PART_FILES === "undefined" ? {} : PART_FILES;
  const allNamespaces = [...namespaces, ...parts.flatMap((part) => part.namespaces)];
  const scripts = new Set([
    ...allNamespaces.flatMap((namespace) => messageFiles[`${lang}-${namespace}`] ?? []),
    ...parts.flatMap(({ file }) => partFiles[file] ?? []),
  ]);
  return [
    `<${styleSheet}>; rel=preload; as=style`,
    ...[...scripts].map((file) => `<${file}>; rel=modulepreload; fetchpriority=low`),
  ].join(", ");
}
