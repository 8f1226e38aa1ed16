import type { MetaDescriptor } from "@remix-run/cloudflare";

interface Match {
  readonly data?: unknown;
}

/**
 * The head of a page of a shop: its title and nothing else. It is found through its event, and its products are the store's own to be
 * found, so search engines are asked to leave it.
 */
export function shopMeta({ data, matches }: { data?: unknown; matches: readonly Match[] }): MetaDescriptor[] {
  const title = (data as { title?: string } | undefined)?.title;
  const name = matches
    .map((match) => (match.data as { event?: { name?: string } } | undefined)?.event?.name)
    .find(Boolean);
  return [
    { title: [title, name].filter(Boolean).join(" – ") || "Hiroba" },
    { name: "robots", content: "noindex" },
  ];
}
