import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { Space, Uuid } from "~/domain/shared/model";

/** A space into which an event can be copied. */
export interface CopyTarget {
  readonly id: Uuid;
  readonly name: string;
  /** Name of the folder that contains the space; empty at the top, and for the current space. */
  readonly folder: string;
  readonly isCurrentSpace: boolean;
}

/** Spaces that match a text. */
export interface FoundSpaces {
  readonly spaces: readonly CopyTarget[];
  readonly hasMore: boolean;
}

const LISTED_MAX = 20;
const SEARCHED_MAX = 100;

/** Finds spaces by name, other than `space`: at most 20 of the 100 newest matches. */
export async function findCopyTargets(
  {
    context,
    actor,
    space,
  }: {
    readonly context: AppLoadContext;
    readonly actor: Actor;
    readonly space: Pick<Space, "id">;
  },
  q: string,
): Promise<FoundSpaces> {
  const searchResult = await context.services.tree.searchTree({
    actor,
    folderType: "space",
    q,
    kinds: ["space"],
    pageSize: SEARCHED_MAX,
  });
  const spaces = searchResult.items
    .flatMap((item) =>
      item.kind === "space" && item.space.id !== space.id
        ? [
            {
              id: item.space.id,
              name: item.space.name,
              folder: item.place?.name ?? "",
              isCurrentSpace: false,
            },
          ]
        : [],
    )
    .sort((a, b) => a.name.localeCompare(b.name, context.lang, { numeric: true }));
  return { spaces: spaces.slice(0, LISTED_MAX), hasMore: searchResult.hasNext || spaces.length > LISTED_MAX };
}
