import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import { imageUrl } from "~/domain/library/media-url";
import { hiddenReason } from "~/domain/library/prepared";
import { storageLeft } from "~/domain/shared/limits";
import { can } from "~/domain/shared/permissions";
import { formatBytes } from "~/i18n/format";
import { createTreeLists } from "../../folders/read.server";
import { namedTitle, pageTitle } from "../../shared/title";
import { thumbnailRequest, toConvertibleItem, waitsForConversion } from "../item/preparation.server";

/** Converts a media item to a list item. */
const toMediaListItem = (actor: Actor, item: LibraryItem) => ({
  kind: "media" as const,
  id: item.id,
  name: item.title,
  mediaKind: item.kind,
  size: item.kind === "web" ? null : formatBytes(item.byteSize + item.preparedSize),
  duration: item.duration,
  thumbnail: imageUrl(item, 320),
  fileName: item.fileName,
  hidden: hiddenReason(item),
  /** Conversion that this user's browser continues; null if it continues none. */
  waiting: waitsForConversion(actor, item) ? toConvertibleItem(item) : null,
  /** Thumbnail that this user's browser creates; null if it creates none. */
  thumbnailRequest: thumbnailRequest(actor, item),
  isShared: item.groupId !== null,
  updatedAt: item.updatedAt,
  mayDelete: can(actor, "delete", { type: "media", ownerId: item.ownerId, groupId: item.groupId }),
});

export type MediaListItem = ReturnType<typeof toMediaListItem>;

/** Title of a page of the library: the folder's name, or whose library it is. */
export function listTitle(
  context: AppLoadContext,
  {
    folder,
    ownerName,
  }: Pick<Awaited<ReturnType<typeof readMediaFolder>>, "ownerName"> & {
    readonly folder: { readonly isRoot: boolean; readonly name: string } | null;
  },
): string {
  if (folder && !folder.isRoot) return namedTitle(context, folder.name);
  return ownerName
    ? pageTitle(context, "library:titleOf", { name: ownerName })
    : pageTitle(context, "library:title");
}

/** Waiting conversions of the user's own library, whatever page of its lists contains their items. */
export const readWaiting = async (context: AppLoadContext, actor: Actor) =>
  (await context.services.preparations.listWaitingPreparations({ actor })).map(toConvertibleItem);

/** Lists of media, with the used storage of the owner and the target of uploads from a folder's page. */
export const {
  readFolder: readMediaFolder,
  readAll: readAllMedia,
  readDeleted: readDeletedMedia,
} = createTreeLists({
  toLeaf: (actor, content) => (content.kind === "media" ? toMediaListItem(actor, content.item) : null),
  getUsage: (owner) => ({ used: owner.storageUsed, limit: owner.storageLimit }),
  getFolderExtras: ({ actor, owner, folder, seesAll }) => ({
    upload: {
      folderId: folder.parentId === null ? null : folder.id,
      ownerId: owner.id === actor.userId ? null : owner.id,
      // Users who see only shared items do not learn how much storage is left; for them only the server checks it.
      freeBytes: seesAll ? storageLeft(owner) : Number.MAX_SAFE_INTEGER,
    },
  }),
  leafKinds: MEDIA_KINDS,
});
