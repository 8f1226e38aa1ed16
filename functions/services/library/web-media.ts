import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import type { WebMediaResponse, WebUrlMatch } from "~/domain/library/oembed.schema";
import { matchProvider, type WebMatch } from "~/domain/library/web-media";
import type { Folder, User, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { ensureRootFolders } from "../folders/root-folders";
import { bindUseCases } from "../shared/bind";
import {
  AppError,
  ConflictError,
  ForbiddenError,
  InvalidError,
  limitReached,
  NotFoundError,
} from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import { libraryFullError } from "./upload-rejections";
import type { ImageStore, StoredImage, ThumbnailImage, WebLookup, WebMediaProblem } from "./web-media-ports";

/** Dependencies of the use cases of web media. */
export interface WebMediaDeps extends Pick<Repositories, "webMedia" | "library" | "folders" | "users"> {
  readonly webLookup: WebLookup;
  readonly thumbnailStore: ImageStore;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Preview of a URL, before it is saved. */
export interface WebMediaPreview {
  readonly web: WebMediaResponse["web"];
  /** Its provider's name. */
  readonly providerName: string;
  /** Default title. */
  readonly title: string;
  readonly image: ThumbnailImage | null;
}

/** A web media item to add to a library. */
export interface AddWebMediaItemInput {
  readonly actor: Actor;
  /** As typed, or checked by the schema of its form. */
  readonly url: string;
  /** Default: the owner's root folder. */
  readonly folderId?: Uuid;
  /** Owner of the library; the actor by default. */
  readonly ownerId?: Uuid;
  /** Checked by the schema of its form. If empty, the preview's default title is used. */
  readonly title?: string;
}

/** The request to the provider failed, or the image of its photo did not arrive. Nothing was written; the caller may try again. */
export class WebUnreachableError extends AppError {
  override readonly name: string = "WebUnreachableError";
  constructor(provider: string) {
    super({
      kind: "unavailable",
      code: "web_unreachable",
      message: `no response from ${provider}`,
      userMessage: { key: "api:services.webUnreachable", values: { provider } },
    });
  }
}

const REJECTIONS = {
  link: { code: "web_link", key: "library:errors.webMedia.link" },
  bad: { code: "web_bad_answer", key: "library:errors.webMedia.bad" },
  not_found: { code: "web_not_found", key: "library:errors.webMedia.notFound" },
  private: { code: "web_private", key: "library:errors.webMedia.private" },
  unsupported: { code: "web_unsupported", key: "library:errors.webMedia.unsupported" },
} as const satisfies Record<Exclude<WebMediaProblem, "unreachable">, { code: string; key: string }>;

function matchUrl(url: string): WebUrlMatch {
  const match: WebMatch = matchProvider(url);
  if ("error" in match) throw new InvalidError({ url: [{ key: match.error }] }, "web_address");
  return match;
}

/** Requests the URL from its provider. @throws InvalidError for the field of the URL, or WebUnreachableError */
async function requestProvider(
  deps: Pick<WebMediaDeps, "webLookup">,
  match: WebUrlMatch,
): Promise<WebMediaResponse> {
  const response = await deps.webLookup.requestOembed(match);
  if (typeof response !== "string") return response;
  const provider = match.provider.name;
  if (response === "unreachable") throw new WebUnreachableError(provider);
  const { code, key } = REJECTIONS[response];
  throw new InvalidError({ url: [{ key, values: { provider } }] }, code);
}

/** Returns the title in the response, or else the provider's name and the last part of the URL's path. */
const defaultTitle = ({ web }: WebMediaResponse, { provider }: WebUrlMatch): string =>
  web.title || `${provider.name} ${new URL(web.url).pathname.split("/").findLast(Boolean) ?? ""}`.trim();

/**
 * Previews a URL. Nothing is saved.
 * @throws InvalidError web_address, web_link (specification §5), web_not_found, web_private, web_unsupported, web_bad_answer
 * @throws WebUnreachableError
 */
export async function previewWebMediaItem(
  deps: Pick<WebMediaDeps, "webLookup">,
  input: { readonly actor: Actor; readonly url: string },
): Promise<WebMediaPreview> {
  const match = matchUrl(input.url);
  const response = await requestProvider(deps, match);
  return {
    web: response.web,
    providerName: match.provider.name,
    title: defaultTitle(response, match),
    image: await deps.webLookup.fetchThumbnail(match, response),
  };
}

/**
 * Adds a web media item to a library, with its thumbnail, which counts towards the library's capacity.
 * @throws as previewWebMediaItem, and NotFoundError when owner or folder is not visible
 * @throws ForbiddenError when the actor may not add to the folder
 * @throws LimitError library_capacity (specification §8), too_many_media
 */
export async function addWebMediaItem(deps: WebMediaDeps, input: AddWebMediaItemInput): Promise<LibraryItem> {
  const { actor } = input;
  const match = matchUrl(input.url);
  const { folder, owner } = await findTargetFolder(deps, input);
  const response = await requestProvider(deps, match);
  const id = deps.ids.uuid();
  const image = await storeThumbnail(deps, id, match, response);
  const createdAt = toInstant(deps.clock.now());
  const item = {
    id,
    folderId: folder?.id ?? (await ensureRootFolders(deps, { ownerId: owner.id })).media,
    ownerId: owner.id,
    groupId: folder?.groupId ?? null,
    title: input.title || defaultTitle(response, match),
    web: response.web,
    image,
    createdAt,
  };
  const result = await writeOrDropImage(deps, image, () =>
    deps.webMedia.create(
      item,
      auditEntry(deps, actor, "media_web_added", "media", id, { provider: match.provider.id }),
    ),
  );
  if (result === "no_folder") throw new NotFoundError("folder");
  if (result === "library_capacity") throw libraryFullError();
  if (result === "too_many_media") throw limitReached(result);
  const saved = await deps.library.find(id);
  if (!saved) throw new NotFoundError("media");
  return saved;
}

/**
 * Replaces a web media item's URL, or looks the same URL up again. Every use of the item then shows the result.
 * @throws as previewWebMediaItem, and NotFoundError when the item is not visible or not web media
 * @throws ForbiddenError when the actor may not change it, LimitError library_capacity
 * @throws ConflictError when it was changed meanwhile
 */
export async function replaceWebMediaItem(
  deps: WebMediaDeps,
  input: {
    readonly actor: Actor;
    readonly id: Uuid;
    /** Default: the item's current URL, for which the provider may return new data. */
    readonly url?: string;
    /** Expected version; no check when absent. */
    readonly version?: number;
    /** Default: unchanged. */
    readonly title?: string;
  },
): Promise<LibraryItem> {
  const { actor, id } = input;
  const resource = (item: LibraryItem) =>
    ({ type: "media", ownerId: item.ownerId, groupId: item.groupId }) as const;
  const item = await deps.library.find(id);
  if (!item?.web || !can(actor, "read", resource(item))) throw new NotFoundError("media");
  if (!can(actor, "update", resource(item))) throw new ForbiddenError("replace web media item");
  if (input.version !== undefined && input.version !== item.version) throw new ConflictError(item, input);
  const match = matchUrl(input.url ?? item.web.url);
  const response = await requestProvider(deps, match);
  const image = await storeThumbnail(deps, id, match, response);
  // If an unchanged URL has no thumbnail now, the current one is kept.
  const keepsThumbnail = image === null && item.thumbKey !== null && response.web.url === item.web.url;
  const result = await writeOrDropImage(deps, image, () =>
    deps.webMedia.replace(
      {
        id,
        version: item.version,
        title: input.title || undefined,
        web: response.web,
        image: keepsThumbnail ? "kept" : image,
        at: toInstant(deps.clock.now()),
      },
      auditEntry(deps, actor, "media_web_replaced", "media", id, { provider: match.provider.id }),
    ),
  );
  if (result === "library_capacity") throw libraryFullError();
  const saved = await deps.library.find(id);
  if (!saved) throw new NotFoundError("media");
  if (result === "stale") throw new ConflictError(saved, input);
  if (item.thumbKey !== null && !keepsThumbnail) await deps.thumbnailStore.delete(item.thumbKey);
  return saved;
}

/** Returns the owner of the new item, and the given folder; null for the owner's root folder. */
async function findTargetFolder(
  deps: WebMediaDeps,
  { actor, folderId, ownerId: givenOwnerId }: AddWebMediaItemInput,
): Promise<{ readonly folder: Folder | null; readonly owner: User }> {
  const folder = folderId === undefined ? null : await deps.folders.find(folderId);
  if (folderId !== undefined) {
    const isVisible =
      folder?.folderType === "media" &&
      (givenOwnerId === undefined || folder.ownerId === givenOwnerId) &&
      can(actor, "read", { type: "folder", ownerId: folder.ownerId, groupId: folder.groupId });
    if (!isVisible) throw new NotFoundError("folder");
  }
  const ownerId = folder?.ownerId ?? givenOwnerId ?? actor.userId;
  const resource = { type: "media", ownerId, groupId: folder?.groupId ?? null } as const;
  if (!folder && !can(actor, "list", resource)) throw new NotFoundError("owner");
  if (!can(actor, "create", resource)) throw new ForbiddenError("create web media item");
  const owner = await deps.users.find(ownerId);
  if (!owner) throw new NotFoundError("owner");
  return { folder, owner };
}

/** Stores the image before the record, so that a record never refers to a missing file. */
async function storeThumbnail(
  deps: WebMediaDeps,
  id: Uuid,
  match: WebUrlMatch,
  response: WebMediaResponse,
): Promise<StoredImage | null> {
  const image = await deps.webLookup.fetchThumbnail(match, response);
  if (!image) {
    // A photo without its image would show nothing.
    if (response.web.type === "photo") throw new WebUnreachableError(match.provider.name);
    return null;
  }
  const key = `library/${id}/${deps.ids.uuid()}`;
  await deps.thumbnailStore.put(key, image);
  return { key, mimeType: image.mimeType, byteSize: image.bytes.length };
}

/** Writes a record. Deletes the stored image if nothing was written. */
async function writeOrDropImage<T extends string>(
  deps: WebMediaDeps,
  image: StoredImage | null,
  write: () => Promise<T>,
): Promise<T> {
  let result: T | undefined;
  try {
    result = await write();
    return result;
  } finally {
    if (image && result !== "created" && result !== "replaced") await deps.thumbnailStore.delete(image.key);
  }
}

/** `context.services.webMedia`. */
export const webMediaServices = (deps: WebMediaDeps) =>
  bindUseCases(deps, { previewWebMediaItem, addWebMediaItem, replaceWebMediaItem });
