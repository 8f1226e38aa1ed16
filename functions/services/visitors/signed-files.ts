/** Signed URLs of files, for a host that receives no cookies (decision 047). */

import { preparedKey } from "~/domain/library/prepared";
import { isUuid } from "~/domain/shared/ids";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import { showsCover } from "~/domain/visitors/closed-event";
import { linkAccess } from "~/domain/visitors/link-access";
import type { FileViewer, LibraryDeps } from "../library/library";
import type { StoredFile } from "../library/stored-file-ports";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import type { EventRecord, MediaSigner } from "./visitor-ports";

/** Maximum validity of a signed URL, in milliseconds. */
const SIGNATURE_LIFETIME_MS = 5 * 60_000;
/** Interval within which signed URLs stay the same, in milliseconds, so that browsers can use their cache. */
const SIGNATURE_STEP_MS = 150_000;

/** Dependencies of signing and opening URLs. */
export interface SignedFileDeps extends Pick<LibraryDeps, "library" | "readRecord" | "clock"> {
  readonly mediaSigner: MediaSigner;
}

/**
 * The subject (the signed text) of an event's signature. It contains the link's token and the publish password's hash, so that a change of either invalidates earlier
 * URLs.
 */
const eventSubject = ({ event, publishPasswordHash }: EventRecord, mode: LinkMode) =>
  ["event", event.id, mode, tokenOf(event, mode), publishPasswordHash ?? ""].join("\n");

const tokenOf = (event: EventRecord["event"], mode: LinkMode): string =>
  mode === "preview" ? event.previewAccessToken : event.accessToken;

/** The subject of a signature for one use of one file. */
const fileSubject = (itemId: Uuid, fileKey: string, use: FileUse) =>
  ["file", itemId, fileKey, use].join("\n");

/**
 * Version of a file that is served: "original" is the uploaded file, "visitor" the one for visitors, "check" the stored file for the operator's external
 * file check, before its verdict.
 */
export type FileUse = "original" | "visitor" | "check";
const FILE_USES: readonly string[] = ["original", "visitor", "check"] satisfies readonly FileUse[];

const signSubject = (deps: Pick<SignedFileDeps, "mediaSigner" | "clock">, subject: string) => {
  const expires = (Math.floor(deps.clock.now() / SIGNATURE_STEP_MS) + 2) * SIGNATURE_STEP_MS;
  return { expires: String(expires), signature: deps.mediaSigner.sign(`${subject}\n${expires}`) };
};

/**
 * Returns the query of a URL that opens a file without a cookie, for at most SIGNATURE_LIFETIME_MS.
 * @param input.viewer the viewer, whose access to the file the caller has just checked
 * @param input.isOwn false for a URL with an event's link, which opens only what visitors receive
 * @throws NotFoundError when the event of a link no longer exists
 */
export async function signFile(
  deps: SignedFileDeps,
  input: { readonly file: StoredFile; readonly viewer: FileViewer; readonly isOwn: boolean },
): Promise<Readonly<Record<string, string>>> {
  const { file, viewer, isOwn } = input;
  if (viewer.kind === "link") {
    const record = await deps.readRecord(viewer.eventId);
    if (!record) throw new NotFoundError("event");
    const { eventId, mode } = viewer;
    return { event: eventId, mode, ...signSubject(deps, eventSubject(record, mode)) };
  }
  return signFileUse(deps, file.itemId, file.fileKey, file.isOriginal && isOwn ? "original" : "visitor");
}

/** Returns the query of a URL that opens one file for one use. */
export function signFileUse(
  deps: Pick<SignedFileDeps, "mediaSigner" | "clock">,
  itemId: Uuid,
  fileKey: string,
  use: FileUse,
): Readonly<Record<string, string>> {
  return { use, ...signSubject(deps, fileSubject(itemId, fileKey, use)) };
}

/** A file that a signature opens, and its use. */
export interface SignedFile {
  readonly file: StoredFile;
  readonly use: FileUse;
}

/**
 * Opens the file of a signed URL. URLs of an event work only while its link is open, except for a cover that the page of a closed or locked link shows.
 * @param input.part the name of a converted file; null for the item's own file
 * @throws NotFoundError for an expired or wrong signature, and for a deleted file
 */
export async function openSignedFile(
  deps: SignedFileDeps,
  input: { readonly id: Uuid; readonly part: string | null; readonly query: URLSearchParams },
): Promise<SignedFile> {
  const { id, part, query } = input;
  const now = deps.clock.now();
  const expires = Number(query.get("expires"));
  const signature = query.get("signature") ?? "";
  if (!Number.isSafeInteger(expires) || expires <= now || expires > now + SIGNATURE_LIFETIME_MS)
    throw new NotFoundError("file");
  const isSigned = (subject: string) => deps.mediaSigner.verify(`${subject}\n${expires}`, signature);
  const eventId = query.get("event");
  if (eventId !== null) {
    const mode = query.get("mode");
    const isLinkMode = mode === "preview" || mode === "published";
    const record = isUuid(eventId) && isLinkMode ? await deps.readRecord(eventId) : null;
    const isOpen =
      record &&
      isLinkMode &&
      isSigned(eventSubject(record, mode)) &&
      (linkAccess(record.event, mode, tokenOf(record.event, mode), now) === "open" ||
        (id === record.space.posterMediaId && showsCover(record.event, mode, now)));
    const file = isOpen && Object.hasOwn(record.files, id) ? record.files[id] : undefined;
    if (!file) throw new NotFoundError("file");
    return { file, use: "visitor" };
  }
  const use = query.get("use") ?? "";
  const item = FILE_USES.includes(use) ? await deps.library.find(id) : null;
  // A converted file gets a verdict too. Before the verdict, the item does not refer to the file.
  const runId = use === "check" && part !== null ? item?.preparation?.runId : null;
  const fileKey = runId && part ? preparedKey(id, runId, part) : (item?.fileKey ?? item?.thumbKey);
  if (!item || !fileKey || !isSigned(fileSubject(id, fileKey, use as FileUse)))
    throw new NotFoundError("file");
  const { kind, thumbKey, fileName, mimeType, byteSize, width, height } = item;
  const preparation = runId ? null : item.preparation;
  return {
    file: { itemId: id, kind, fileKey, thumbKey, fileName, mimeType, byteSize, width, height, preparation },
    use: use as FileUse,
  };
}

/** Use cases in `context.services.library`. */
export const signedFileServices = (deps: SignedFileDeps) => bindUseCases(deps, { signFile, openSignedFile });
