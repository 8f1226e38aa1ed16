/** Records of imports and packages, and the port of archives. */
import type { SceneValues, TagValues } from "~/domain/content/content";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Event, Instant, Localized, Placement, Space, Uuid } from "~/domain/shared/model";
import type { PackagedValues, PackageKind } from "~/domain/transfer/package-format";
import type { CsvEncoding } from "~/domain/users/user-csv";
import type { ErrorMessage } from "../shared/errors";
import type { AuditEntry } from "../shared/ports";

/** The kind of an imported file: tags of an event (CSV), or a package (an event or a space). */
export type ImportKind = "tags" | "package";

/** Options and progress of an imported file. */
export interface ImportDetail {
  /** Keys in R2 of the library files that this import stores. Nothing uses them until it is done. */
  readonly keys?: readonly string[];
  /** For tags: true to delete tags that the file does not contain. */
  readonly deletesMissing?: boolean;
  /** For tags: the file's character encoding. */
  readonly encoding?: CsvEncoding;
  /** For tags: the compared version of each tag that the file changes or deletes. */
  readonly versions?: Readonly<Record<Uuid, number>>;
}

/** A received slice. */
export interface ImportPart {
  /** R2's etag of the slice. */
  readonly etag: string;
  readonly byteSize: number;
}

/** An imported file. */
export interface Import {
  readonly id: Uuid;
  readonly actorId: Uuid;
  /** The account whose storage contains the declared bytes. Null for imports from the time before bytes were reserved. */
  readonly ownerId: Uuid | null;
  readonly kind: ImportKind;
  /** For tags: the event. For packages: the space of the event, or the folder of the space. */
  readonly targetId: Uuid;
  readonly fileName: string;
  readonly byteSize: number;
  readonly fileKey: string;
  /** Empty after the whole file was assembled, and for tags. */
  readonly multipartId: string;
  /** The received slices by their numbers, from 1. */
  readonly parts: Readonly<Record<string, ImportPart>>;
  readonly detail: ImportDetail;
  /** ImportReport of a package, TagCsvReport of tags; null until it is done. */
  readonly report: unknown;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Until this time, one request has the exclusive right to apply the file. */
  readonly claimedUntil: Instant | null;
  readonly doneAt: Instant | null;
}

// ── archives ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** SHA-256 and size of a file that was read completely. */
export interface StoredFileDigest {
  readonly sha256: string;
  readonly byteSize: number;
}

/** An entry of an archive that is being written: a stored file, or a text that is computed when it is written. */
export type NewEntry =
  | { readonly path: string; readonly fileKey: string; readonly onRead: (file: StoredFileDigest) => void }
  | { readonly path: string; readonly text: () => string };

/** An archive with a validated directory. */
export interface OpenArchive {
  /** Unpacked size of an entry in bytes, according to the directory; null if there is no such entry. */
  sizeOf(path: string): number | null;
  /**
   * Reads the bytes of an entry. Their number and checksum must match the directory, and their SHA-256 the given one, if any.
   * @throws ArchiveError
   */
  read(path: string, sha256?: string): AsyncIterable<Uint8Array>;
}

/** Archives in the file store. An implementation holds at most a few megabytes in memory. */
export interface Archives {
  /** Returns an archive that is written while it is sent. */
  write(entries: readonly NewEntry[]): ReadableStream<Uint8Array>;
  /** @throws ArchiveError */
  open(fileKey: string, byteSize: number): Promise<OpenArchive>;
  /** Digest and size of a stored file; null when it does not exist. */
  digest(fileKey: string): Promise<StoredFileDigest | null>;
}

// ── packages ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** A library item of a package. */
export interface NewItem
  extends Pick<
    LibraryItem,
    | "id"
    | "kind"
    | "title"
    | "fileName"
    | "mimeType"
    | "byteSize"
    | "width"
    | "height"
    | "duration"
    | "fileKey"
    | "thumbKey"
    | "thumbnailSize"
    | "web"
  > {
  /** Whether the file waits for its conversion: see InspectedFile. */
  readonly isHeavy: boolean;
}

/** An event of a package with new ids and links. */
export interface NewEventOfPackage
  extends PackagedValues,
    Pick<Event, "accessToken" | "previewAccessToken" | "createdAt"> {
  readonly tags: readonly (TagValues & { readonly id: Uuid })[];
  readonly media: readonly {
    readonly id: Uuid;
    readonly libraryItemId: Uuid;
    readonly title: Localized;
    readonly description: Localized;
    readonly placement: Placement | null;
    readonly hidden: boolean;
    readonly createdOn: Instant;
  }[];
  readonly scene: SceneValues;
}

/** All records that the import of a package writes. */
export interface PackagePlan {
  readonly import: Pick<Import, "id"> & { readonly claimedUntil: Instant };
  readonly kind: PackageKind;
  readonly ownerId: Uuid;
  readonly at: Instant;
  /** Time until which the report of the import can be read. */
  readonly keepUntil: Instant;
  /** For an event: its space, with the version for which the kept positions were determined. */
  readonly into: Pick<Space, "id" | "version"> | null;
  /** For a space: the space and its destination folder. */
  readonly space: Pick<
    Space,
    "id" | "folderId" | "groupId" | "name" | "sid" | "source" | "posterMediaId"
  > | null;
  /** A folder for the new library items; null when there are none. */
  readonly mediaFolder: { readonly id: Uuid; readonly parentId: Uuid; readonly name: string } | null;
  readonly items: readonly NewItem[];
  /** Existing library items that are used instead of items in the package. */
  readonly reused: readonly Uuid[];
  readonly events: readonly NewEventOfPackage[];
  readonly entries: readonly AuditEntry[];
  readonly report: ImportReport;
}

/** Result of writing a package. `changed`: the target or a reused library item changed after it was read, or the claim ended. Only `written` has written anything. */
export type PackageOutcome =
  | "written"
  | "gone"
  | "changed"
  | "name_taken"
  | "space_license"
  | "library_capacity"
  | "content_full"
  | "too_many_events"
  | "too_many_space_events"
  | "too_many_media"
  | "too_many_folders";

/** A note about an import, and the event that it concerns. */
export interface ImportNote extends ErrorMessage {
  readonly eventId: Uuid | null;
}

/** Report of a package import. */
export interface ImportReport {
  readonly kind: PackageKind;
  readonly spaceId: Uuid;
  readonly spaceName: string;
  readonly events: readonly { readonly id: Uuid; readonly name: string | Localized }[];
  readonly counts: {
    readonly tags: number;
    readonly media: number;
    /** Number of new library items. */
    readonly added: number;
    /** Number of items that the library had already. */
    readonly reused: number;
    /** Number of stored bytes. */
    readonly bytes: number;
  };
  /** Omitted or changed parts with their reasons, and values that must be entered again. */
  readonly notes: readonly ImportNote[];
}
