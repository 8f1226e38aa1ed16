import {
  CONTENT_MAX_BYTES,
  eventLimit,
  FOLDERS_MAX,
  IMPORTS_OPEN_MAX,
  LIBRARY_ITEMS_MAX,
  PASSKEYS_MAX,
  TOKENS_MAX,
  TRASH_FACTOR,
  UPLOADS_OPEN_MAX,
  WEBHOOKS_MAX,
} from "../shared/limits";
import type { User } from "../shared/model";

/** An account's usage of its limits: counts, or bytes where the name says so. */
export interface AccountUsage {
  /** Number of events, including those in the trash. */
  readonly events: number;
  /** Number of library items, including those in the trash. */
  readonly media: number;
  /** Bytes of the content of events. */
  readonly contentBytes: number;
  /** Bytes of library items in the trash. */
  readonly trashBytes: number;
  /** Bytes that open uploads and imports have reserved. */
  readonly reservedBytes: number;
  readonly openUploads: number;
  readonly openImports: number;
  /** Numbers of folders in the tree of spaces, and in the library. */
  readonly spaceFolders: number;
  readonly mediaFolders: number;
  readonly tokens: number;
  readonly webhooks: number;
  readonly passkeys: number;
}

/** Returns the usage and limits of an account, apart from its spaces and storage. Names are keys of the texts account.usage (app/i18n). */
export const usageMeters = (
  usage: AccountUsage,
  user: Pick<User, "spaceLicense" | "storageLimit" | "storageUsed">,
) =>
  [
    { name: "content", used: usage.contentBytes, limit: CONTENT_MAX_BYTES, unit: "bytes" },
    { name: "reserved", used: usage.reservedBytes, limit: user.storageLimit, unit: "bytes" },
    {
      name: "trash",
      used: user.storageUsed + usage.trashBytes,
      limit: user.storageLimit * TRASH_FACTOR,
      unit: "bytes",
    },
    { name: "events", used: usage.events, limit: eventLimit(user), unit: "count" },
    { name: "media", used: usage.media, limit: LIBRARY_ITEMS_MAX, unit: "count" },
    { name: "spaceFolders", used: usage.spaceFolders, limit: FOLDERS_MAX, unit: "count" },
    { name: "mediaFolders", used: usage.mediaFolders, limit: FOLDERS_MAX, unit: "count" },
    { name: "uploads", used: usage.openUploads, limit: UPLOADS_OPEN_MAX, unit: "count" },
    { name: "imports", used: usage.openImports, limit: IMPORTS_OPEN_MAX, unit: "count" },
    { name: "tokens", used: usage.tokens, limit: TOKENS_MAX, unit: "count" },
    { name: "webhooks", used: usage.webhooks, limit: WEBHOOKS_MAX, unit: "count" },
    { name: "passkeys", used: usage.passkeys, limit: PASSKEYS_MAX, unit: "count" },
  ] as const;
