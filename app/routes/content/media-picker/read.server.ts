import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { parseTreeListQuery } from "~/domain/folders/tree-list.schema";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import { imageUrl } from "~/domain/library/media-url";
import { PROVIDERS } from "~/domain/library/web-providers";
import { parseListQuery } from "~/domain/shared/list-query.schema";
import type { MediaKind } from "~/domain/shared/model";
import { toPagerData } from "../../folders/read.server";
import { hiddenFile } from "../items/hidden-files";
import { mediaItemMetadata } from "../items/media-item-metadata";

/** Media kinds that an event can display. Subtitles belong to videos. */
const PICKABLE_KINDS: readonly MediaKind[] = MEDIA_KINDS.filter((kind) => kind !== "subtitle");

interface PickerRead {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly searchParams: URLSearchParams;
}

/** Reads the library of the user for the media picker; null if the URL does not open it. */
export async function readPicker({ context, actor, searchParams }: PickerRead) {
  if (!searchParams.has("pick") || searchParams.get("pick") === "product") return null;
  // `q` searches the event's own list, and `find` searches the library.
  const params = new URLSearchParams(searchParams);
  params.delete("q");
  const { cursor } = parseTreeListQuery(params);
  const q = parseListQuery(new URLSearchParams({ q: searchParams.get("find") ?? "" })).q ?? "";
  const result = await context.services.tree.searchTree({
    actor,
    folderType: "media",
    q,
    cursor,
    // A floor plan must be an image.
    kinds: searchParams.get("pick") === "plan" ? ["image"] : PICKABLE_KINDS,
  });
  const items = result.items.flatMap((row) =>
    row.kind === "media"
      ? [
          {
            id: row.item.id,
            title: row.item.title,
            image: imageUrl(row.item, 320),
            metadata: mediaItemMetadata(row.item),
            hidden: hiddenFile(row.item),
          },
        ]
      : [],
  );
  return { q, items, page: toPagerData(result), providers: PROVIDERS.map(({ name }) => name) };
}

export type Picker = NonNullable<Awaited<ReturnType<typeof readPicker>>>;
