import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { LIGHT_TYPES } from "~/domain/library/formats/sniff-light";
import type { LibraryItem } from "~/domain/library/library-item";
import { lacksThumbnail } from "~/domain/library/media-kinds";
import { displayUrl, imageUrl, uploadedFileUrl } from "~/domain/library/media-url";
import { hiddenReason } from "~/domain/library/prepared";
import { readCursor } from "~/domain/shared/cursor";
import { toUuid } from "~/domain/shared/ids";
import { PANORAMA_NODES_MAX, storageLeft } from "~/domain/shared/limits";
import { parseListQuery, readListSearch } from "~/domain/shared/list-query.schema";
import type { Lang, MediaKind, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { invalidPanoramaSize } from "~/domain/spaces/panorama-shape";
import type { ShowcaseId } from "~/domain/spaces/sid";
import { SOURCE_OF_MEDIA } from "~/domain/spaces/space-source.schema";
import { EMPTY_SOURCE, type SourceValues } from "~/domain/spaces/space-source-form";
import { formatBytes } from "~/i18n/format";
import { languages } from "~/i18n/languages.server";
import { thumbnailRequest } from "../../library/item/preparation.server";

const toSourceFile = (actor: Actor, item: LibraryItem) => ({
  id: item.id,
  title: item.title,
  size: formatBytes(item.byteSize),
  pixels: item.width === null || item.height === null ? null : `${item.width} × ${item.height}`,
  url: displayUrl(item),
  /** URL of the uploaded file, which contains an image's camera metadata; null without a file, or if the upload check does not allow its use. */
  original: item.fileKey === null || item.check ? null : uploadedFileUrl(item.id, item.fileKey),
  thumbnail: imageUrl(item, 320),
  largeThumbnail: imageUrl(item, 1280),
  /** Size of an image that does not have the shape of a panorama; null for any other file. */
  invalidPanoramaSize: invalidPanoramaSize(item.preparation?.display ?? item),
  fileName: item.fileName,
  /** Reason why visitors do not see the file, so that no space can use it; null if they do. */
  hidden: hiddenReason(item),
  /** Whether the 3D preview of the file uploads a thumbnail, because there is none. */
  createsThumbnail:
    lacksThumbnail(item) &&
    !hiddenReason(item) &&
    can(actor, "update", { type: "media", ownerId: item.ownerId, groupId: item.groupId }),
  /** Data with which the page draws and uploads a missing thumbnail; null if it does not. */
  thumbnailRequest: thumbnailRequest(actor, item),
  updatedAt: item.updatedAt,
});

/** Library file for the pages of sources. */
export type SourceFile = ReturnType<typeof toSourceFile>;

interface ReadContext {
  readonly context: AppLoadContext;
  readonly actor: Actor;
}

/** A page of files of a kind, or of HDR panoramas, newest first: those of the owner and, if that is the actor, those shared with the actor. */
export async function readFileChoice(
  { context, actor }: ReadContext,
  request: Request,
  kind: MediaKind | "light",
  ownerId: Uuid | undefined,
) {
  const { searchParams } = new URL(request.url);
  const result = await context.services.tree.searchTree({
    actor,
    ownerId,
    folderType: "media",
    kinds: [kind === "light" ? "image" : kind],
    ...(kind === "light" && { mimeTypes: Object.values(LIGHT_TYPES) }),
    q: parseListQuery(searchParams).q ?? "",
    cursor: readCursor(searchParams.get("cursor")),
  });
  const files = result.items.flatMap((item) =>
    item.kind === "media" ? [toSourceFile(actor, item.item)] : [],
  );
  const { hasPrevious, hasNext, total, owner } = result;
  return {
    files,
    upload: toUploadTarget(actor, owner),
    search: readListSearch(searchParams),
    page: { ids: files.map(({ id }) => id), hasPrevious, hasNext, total },
  };
}

/** Maximum number of HDR panoramas in a form. */
const LIGHTS_MAX = 100;

/** The newest HDR panoramas of the owner and, if that is the actor, those shared with the actor, for the form of a new space. */
export async function readLights({ context, actor }: ReadContext, ownerId: Uuid) {
  const result = await context.services.tree.searchTree({
    actor,
    ownerId,
    folderType: "media",
    q: "",
    kinds: ["image"],
    pageSize: LIGHTS_MAX,
    mimeTypes: Object.values(LIGHT_TYPES),
  });
  return result.items.flatMap((item) =>
    item.kind === "media" && !hiddenReason(item.item) ? [toSourceFile(actor, item.item)] : [],
  );
}

/** Result of readFileChoice. */
export type FileChoiceData = Awaited<ReturnType<typeof readFileChoice>>;

/** Files of a form by id; files that the actor may not see are missing. */
export async function readSourceFiles({ context, actor }: ReadContext, values: SourceValues) {
  const ids = [
    values.mediaId,
    values.posterMediaId,
    values.lightMediaId,
    ...values.nodes.map(({ nodeMedia }) => nodeMedia),
  ];
  const mediaIds = [...new Set(ids.flatMap((id) => toUuid(id) ?? []))];
  const files = await context.services.spaces.visibleFiles({ actor, mediaIds });
  return Object.fromEntries(files.map((item) => [item.id, toSourceFile(actor, item)]));
}

/** Values of the form for a new showcase. A link without a name suggests one; the showcase's own name is unknown, because the server does not request it. */
export const newShowcaseValues = (
  lang: Lang,
  {
    link,
    showcase,
    name,
  }: { readonly link: string; readonly showcase: ShowcaseId | null; readonly name: string },
): SourceValues => ({
  ...EMPTY_SOURCE,
  name:
    name ||
    (showcase ? languages[lang].t("spaces:start.showcaseName", { id: showcase.sid.slice(0, 4) }) : ""),
  showcase: showcase ? link : "",
});

/** Files by id. */
export type SourceFiles = Readonly<Record<Uuid, SourceFile>>;

/** Ids of the library items in a URL, in its order; at most `max`. */
export const readChosenMediaIds = (searchParams: URLSearchParams, max: number): readonly Uuid[] =>
  [...new Set(searchParams.getAll("media").flatMap((id) => toUuid(id) ?? []))].slice(0, max);

/** Library for the uploads of a space, and its free bytes. Another owner's free bytes are private, so only the server checks the limit. */
export function toUploadTarget(
  actor: Actor,
  owner: { readonly id: Uuid } & Parameters<typeof storageLeft>[0],
) {
  const isOwn = owner.id === actor.userId;
  return {
    ownerId: isOwn ? null : owner.id,
    freeBytes: isOwn ? storageLeft(owner) : Number.MAX_SAFE_INTEGER,
  };
}

/** Kind of source of the files in a URL; null if there is none. If there is a model or a splat file, the images are ignored. */
export async function findChosenKind({ context, actor }: ReadContext, searchParams: URLSearchParams) {
  const mediaIds = readChosenMediaIds(searchParams, PANORAMA_NODES_MAX);
  const items = await context.services.spaces.visibleFiles({ actor, mediaIds });
  const kinds = items.flatMap((item) => SOURCE_OF_MEDIA[item.kind] ?? []);
  return kinds.find((kind) => kind !== "panorama") ?? kinds[0] ?? null;
}
