import type { MetaDescriptor } from "@remix-run/cloudflare";

interface Match {
  readonly data?: unknown;
}

/** Head of a shop's page: its title and `noindex`, because search engines index the event and the store's own pages. */
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
