import type { Uuid } from "~/domain/shared/model";
import { browserApi } from "./api";

/** Uses of a library item in the API. */
interface ItemUses {
  readonly events: readonly { readonly uuid: Uuid }[];
  readonly spaces: readonly unknown[];
  /** Number of uses that the response does not list. */
  readonly more: number;
  /** Number of uses that the user may not see. */
  readonly hidden: number;
}

/**
 * Moves a library item to the trash if no other event, and no space, uses it.
 * @param eventId event whose use does not count
 */
export async function deleteUnusedItem(itemId: Uuid, eventId: Uuid): Promise<void> {
  const path = `/api/v1/media/${itemId}`;
  const { status, body } = await browserApi.json("GET", path);
  if (status !== 200) return;
  const { events, spaces, more, hidden } = (body as { readonly uses: ItemUses }).uses;
  if (spaces.length + more + hidden === 0 && events.every(({ uuid }) => uuid === eventId))
    await browserApi.json("DELETE", path);
}
