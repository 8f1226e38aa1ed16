import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import { canMakeThumbnail, lacksThumbnail } from "~/domain/library/media-kinds";
import { displayUrl } from "~/domain/library/media-url";
import { canConvert, canSkip, hiddenReason, preparationState } from "~/domain/library/prepared";
import { can } from "~/domain/shared/permissions";
import type { ThumbnailRequest } from "~/features/library/uploads/thumbnails/upload-thumbnail";
import { packMessage } from "~/forms/shared/user-message";

/** Data of an item that a browser may convert. */
export const toConvertibleItem = (item: LibraryItem) => ({
  itemId: item.id,
  quality: item.preparation?.requestedQuality ?? null,
  // An owner who chose a quality compares the result, even if a page that was opened later continued the conversion.
  needsComparison: typeof item.preparation?.requestedQuality === "number",
  name: item.fileName,
  mimeType: item.mimeType,
  kind: item.kind,
  updatesThumbnail: item.thumbKey === null && canMakeThumbnail(item.kind),
});

/** Whether the user's browser continues the conversion of an item: the item waits for one, and the user may change it. */
export const waitsForConversion = (actor: Actor, item: LibraryItem): boolean =>
  !item.check &&
  preparationState(item) === "waiting" &&
  can(actor, "update", { type: "media", ownerId: item.ownerId, groupId: item.groupId });

/** File whose missing thumbnail the user's browser creates for lists; null if it creates none. */
export function thumbnailRequest(actor: Actor, item: LibraryItem): ThumbnailRequest | null {
  const url = displayUrl(item);
  const mayChange = can(actor, "update", { type: "media", ownerId: item.ownerId, groupId: item.groupId });
  if (
    !mayChange ||
    url === null ||
    !lacksThumbnail(item) ||
    hiddenReason(item) ||
    waitsForConversion(actor, item)
  )
    return null;
  const { id, fileName, kind, byteSize } = item;
  return {
    itemId: id,
    name: fileName,
    kind,
    url,
    byteSize: item.preparation?.display?.byteSize ?? byteSize,
  };
}

/** Conversion data for an item's page; null for files that are never converted. */
export function preparationData(actor: Actor, item: LibraryItem) {
  if (!canConvert(item) || item.fileKey === null) return null;
  const { report = null, quality = null, requestedQuality = null, code = "" } = item.preparation ?? {};
  return {
    item: toConvertibleItem(item),
    state: preparationState(item),
    code: code || null,
    quality: requestedQuality ?? quality,
    before: report?.before ?? null,
    after: report?.after ?? null,
    losses: report?.losses ?? [],
    notes: report?.notes ?? [],
    mayChange: can(actor, "update", { type: "media", ownerId: item.ownerId, groupId: item.groupId }),
    maySkip: canSkip(item),
    isAwaitingCheck: item.check !== null,
  };
}

/** Outcome of a conversion form that failed and changed nothing. */
export interface PreparationOutcome {
  readonly action: "prepare";
  /** Error message, packed into one string (its key and values). */
  readonly problem: string;
}

/** Uses a file as it was uploaded; null for any other form. */
export async function preparationAction(
  context: AppLoadContext,
  actor: Actor,
  itemId: string,
  form: FormData,
) {
  if (form.get("intent") !== "skip-preparation") return null;
  const attempt = await context.attempt(context.services.preparations.skipPreparation({ actor, itemId }));
  if (attempt.ok) throw redirect(`/library/items/${itemId}`);
  const { status, userMessage, fields = {} } = attempt.failure;
  if (status === 404) throw new Response(null, { status, statusText: "Not Found" });
  return data<PreparationOutcome>(
    { action: "prepare", problem: packMessage(Object.values(fields)[0]?.[0] ?? userMessage) },
    { status },
  );
}
