/** Ports of exports and imports: the database, R2 and archives. */
import type { SceneValues, TagValues } from "~/domain/content/content";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Event, Instant, Localized, Placement, Space, Uuid } from "~/domain/shared/model";
import type { PackagedValues, PackageKind } from "~/domain/transfer/package-format";
import type { CsvEncoding } from "~/domain/users/user-csv";
import type { ErrorMessage } from "../shared/errors";
import type { AuditEntry } from "../shared/ports";

/** The kind of an imported file: tags of an event (CSV), or a package. */
export type ImportKind = "tags" | "package";

/** Options and progress of an imported file. */
export interface ImportDetail {
  /** Keys in R2 that were written for this import. They are unused until it is done. */
  readonly keys?: readonly string[];
  /** For tags: true to delete tags that the file does not contain. */
  readonly deletesMissing?: boolean;
  /** For tags: the file's character encoding. */
  readonly encoding?: CsvEncoding;
  /** For tags: the compared version of each changed tag. */
  readonly versions?: Readonly<Record<Uuid, number>>;
}

/** A slice that has arrived. */
export interface ImportPart {
  readonly etag: string;
  readonly byteSize: number;
}

/** A file that is to become content. */
export interface Import {
  readonly id: Uuid;
  readonly actorId: Uuid;
  /** The account whose storage holds the declared bytes. Null for imports from before bytes were reserved. */
  readonly ownerId: Uuid | null;
  readonly kind: ImportKind;
  /** The event of tags; of a package the space of its event, or the folder of its space. */
  readonly targetId: Uuid;
  readonly fileName: string;
  readonly byteSize: number;
  readonly fileKey: string;
  /** Empty once all of the file is there. */
  readonly multipartId: string;
  readonly parts: Readonly<Record<string, ImportPart>>;
  readonly detail: ImportDetail;
  readonly report: unknown;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly claimedUntil: Instant | null;
  readonly doneAt: Instant | null;
}

// ── archives ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Metadata of a completely read file. */
export interface ReadFile {
  readonly sha256: string;
  readonly byteSize: number;
}

/** An entry of an archive that is being written: a stored file, or a text that is computed when it is written. */
export type NewEntry =
  | { readonly path: string; readonly fileKey: string; readonly wasRead: (file: ReadFile) => void }
  | { readonly path: string; readonly text: () => string };

/** An archive with a validated directory. */
export interface OpenArchive {
  /** Unpacked size of an entry in bytes, according to the directory; null if there is no such entry. */
  sizeOf(path: string): number | null;
  /**
   * An entry's bytes as they are read: as many as the directory says, with the checksum that it says, and with the
   * SHA-256 that the caller expects, where it names one. @throws ArchiveError
   */
  read(path: string, sha256?: string): AsyncIterable<Uint8Array>;
}

/** Archives of files in the store. Nothing here holds more of one than some megabytes. */
export interface Archives {
  /** An archive, written while it is sent. */
  write(entries: readonly NewEntry[]): ReadableStream<Uint8Array>;
  /** @throws ArchiveError */
  open(fileKey: string, byteSize: number): Promise<OpenArchive>;
  /** Digest and size of a stored file; null when it does not exist. */
  digest(fileKey: string): Promise<ReadFile | null>;
}

// ── packages ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** A library item that a package brings. */
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
    | "stillSize"
    | "web"
  > {
  /** Whether the file waits for its conversion: see StoredMedium. */
  readonly isHeavy: boolean;
}

/** An event that a package brings, with ids and links of its own. */
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

/** All that a package brings, as it is written. */
export interface PackagePlan {
  readonly import: Pick<Import, "id"> & { readonly claimedUntil: Instant };
  readonly kind: PackageKind;
  readonly ownerId: Uuid;
  readonly at: Instant;
  /** Until when what came of it can be read. */
  readonly keepUntil: Instant;
  /** For an event: the space at the time when its kept positions were determined. */
  readonly into: Pick<Space, "id" | "version"> | null;
  /** For a space: the space and its destination folder. */
  readonly space: Pick<
    Space,
    "id" | "folderId" | "groupId" | "name" | "sid" | "source" | "posterMediaId"
  > | null;
  /** A folder for the new files; null when there are none. */
  readonly mediaFolder: { readonly id: Uuid; readonly parentId: Uuid; readonly name: string } | null;
  readonly items: readonly NewItem[];
  /** Items of the library that stand for such of the package. */
  readonly reused: readonly Uuid[];
  readonly events: readonly NewEventOfPackage[];
  readonly entries: readonly AuditEntry[];
  readonly report: ImportReport;
}

/** Result of writing a package. `changed`: the target changed after it was read; nothing was written. */
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

/** Something to be known of an import, and the event that it is about. */
export interface ImportNote extends ErrorMessage {
  readonly eventId: Uuid | null;
}

/** Result of a package. */
export interface ImportReport {
  readonly kind: PackageKind;
  readonly spaceId: Uuid;
  readonly spaceName: string;
  readonly events: readonly { readonly id: Uuid; readonly name: string | Localized }[];
  readonly counts: {
    readonly tags: number;
    readonly media: number;
    /** Files that were stored. */
    readonly added: number;
    /** Files that the library had. */
    readonly reused: number;
    /** Bytes that were stored. */
    readonly bytes: number;
  };
  /** Omitted or changed parts with their reasons, and values that must be entered again. */
  readonly notes: readonly ImportNote[];
}
