import type { Lang } from "~/domain/shared/model";
import type { PageNamespace } from "./load";

/** Addresses of the browser's message files by "language-namespace". scripts/lib/build.ts defines them. */
declare const MESSAGE_FILES: Readonly<Record<string, string>> | undefined;

/**
 * Value of a `Link` header with the files that a page needs before it can be used, but does not name in its HTML: a browser would find
 * the messages only after it has run the page's scripts.
 * @param styleSheet address of the style sheet, which Cloudflare can thus send as an early hint
 */
export function preloadLinks(lang: Lang, namespaces: Iterable<PageNamespace>, styleSheet: string): string {
  const files = typeof MESSAGE_FILES === "undefined" ? {} : MESSAGE_FILES;
  const messages = [...new Set(namespaces)].flatMap((namespace) => files[`${lang}-${namespace}`] ?? []);
  return [
    `<${styleSheet}>; rel=preload; as=style`,
    ...messages.map((file) => `<${file}>; rel=modulepreload; fetchpriority=low`),
  ].join(", ");
}
