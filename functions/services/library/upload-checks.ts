/** Verdicts on uploads by an external service that the deployment configures (decision 047). */

import type { Repositories } from "#functions/data/shared/repositories";
import { fileVersion } from "~/domain/library/media-url";
import { CHECK_RETRY_SECONDS, VERDICT_RESPONSE_MAX } from "~/domain/library/upload-check";
import { readVerdict } from "~/domain/library/verdict.schema";
import { canLogIn } from "~/domain/users/user-status";
import { type LinkDeps, sendEmail } from "../auth/mail-links";
import { bindUseCases } from "../shared/bind";
import { toInstant } from "../shared/instant";
import type { Clock } from "../shared/ports";
import { signFileUse } from "../visitors/signed-files";
import type { MediaSigner } from "../visitors/visitor-ports";
import { signMessage } from "../webhooks/webhook-delivery";
import type { SendToWebhookEndpoint } from "../webhooks/webhook-ports";
import type { ClaimedCheck } from "./stored-file-ports";

/** Time for which a request to the operator's file check (UPLOAD_VERDICT_URL) claims a file, in milliseconds. Longer than the service's timeout. */
const CLAIM_MS = 30_000;
/** Maximum number of requests per run of the cron trigger. */
const REQUESTS_PER_RUN = 50;
/** Time after which a run starts no further request, in milliseconds. */
const RUN_MS = 40_000;

/** Dependencies of requesting verdicts. */
export interface UploadCheckDeps
  extends Pick<LinkDeps, "mailer" | "emailTemplate" | "origin">,
    Pick<Repositories, "storedFiles"> {
  readonly users: Pick<Repositories["users"], "find">;
  /** The verdict service; null accepts every upload. */
  readonly uploadVerdict: { readonly url: string; readonly secret: string } | null;
  readonly sendToEndpoint: SendToWebhookEndpoint;
  readonly mediaSigner: MediaSigner;
  /** Origin of signed URLs, without a trailing slash; empty if not configured. */
  readonly fileOrigin: string;
  readonly clock: Clock;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/**
 * Requests the verdict on files that wait for one. After an invalid response the request is repeated later.
 * @param input.fileKey a file that has just arrived; default: all files that are due
 * @returns the number of files that were accepted or rejected
 */
export async function checkUploads(
  deps: UploadCheckDeps,
  input: { readonly fileKey?: string } = {},
): Promise<number> {
  const { uploadVerdict } = deps;
  const deadline = deps.clock.now() + RUN_MS;
  let verdictCount = 0;
  for (
    let requestCount = 0;
    requestCount < REQUESTS_PER_RUN && deps.clock.now() <= deadline;
    requestCount++
  ) {
    const now = deps.clock.now();
    const claimed = await deps.storedFiles.claimCheck(
      input.fileKey ?? null,
      toInstant(now),
      toInstant(now + CLAIM_MS),
    );
    if (!claimed) break;
    // If the deployment no longer has a verdict service, waiting files are accepted.
    if (uploadVerdict === null || (await requestVerdict(deps, uploadVerdict, claimed))) {
      if (uploadVerdict === null) await deps.storedFiles.settleCheck(claimed.fileKey, null);
      verdictCount++;
    }
    if (input.fileKey !== undefined) break;
  }
  return verdictCount;
}

/**
 * Time of the first verdict request for a stored file; null for a file that needs no verdict (NO_VERDICT_NEEDED).
 * @param now epoch milliseconds
 */
export const getFirstCheckTime = (
  uploadVerdict: UploadCheckDeps["uploadVerdict"],
  fileKey: string,
  now: number,
): string | null => (uploadVerdict === null || NO_VERDICT_NEEDED.test(fileKey) ? null : toInstant(now));

/**
 * Matches keys of thumbnails, and of tiles of large images (the only files in subfolders). Both were inspected when they were stored; one image can have hundreds of
 * tiles.
 */
const NO_VERDICT_NEEDED = /\/thumbnail-|^library\/[^/]+\/prepared\/[^/]+\/.+\//;

/**
 * Requests one verdict, and records it or the time of the next request. The owner is notified of a rejection by mail.
 * @returns whether a verdict arrived
 */
async function requestVerdict(
  deps: UploadCheckDeps,
  service: NonNullable<UploadCheckDeps["uploadVerdict"]>,
  claimed: ClaimedCheck,
): Promise<boolean> {
  const { fileKey, attempts, itemId } = claimed;
  const now = deps.clock.now();
  const query = new URLSearchParams(signFileUse(deps, itemId, fileKey, "check"));
  const path = claimed.preparedName === null ? "" : `/${fileVersion(fileKey)}/${claimed.preparedName}`;
  const body = JSON.stringify({
    type: "upload.check",
    timestamp: toInstant(now),
    data: {
      upload: {
        uuid: itemId,
        file_name: claimed.fileName,
        mime_type: claimed.mimeType,
        byte_size: claimed.byteSize,
        file_url: deps.fileOrigin === "" ? null : `${deps.fileOrigin}/media/${itemId}${path}?${query}`,
      },
    },
  });
  const id = `upload_${fileKey.split("/").at(-1)}`;
  const timestamp = String(Math.floor(now / 1000));
  const response = await deps.sendToEndpoint(
    service.url,
    {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": await signMessage(service.secret, id, timestamp, body),
    },
    body,
    VERDICT_RESPONSE_MAX,
  );
  const verdict = response.outcome === "delivered" ? readVerdict(response.answer) : null;
  if (verdict === null) {
    const retrySeconds = CHECK_RETRY_SECONDS[attempts - 1] ?? CHECK_RETRY_SECONDS.at(-1) ?? 0;
    await deps.storedFiles.retryCheck(fileKey, toInstant(deps.clock.now() + retrySeconds * 1000));
    return false;
  }
  const isRejected = verdict.verdict === "rejected";
  await deps.storedFiles.settleCheck(
    fileKey,
    isRejected ? { state: "rejected", reason: verdict.reason } : null,
  );
  if (isRejected) deps.defer(mailOwner(deps, claimed));
  return true;
}

async function mailOwner(deps: UploadCheckDeps, { ownerId, itemId, fileName }: ClaimedCheck): Promise<void> {
  const user = await deps.users.find(ownerId);
  if (!user || !canLogIn(user.status)) return;
  const link = `${deps.origin}/library/items/${itemId}`;
  await sendEmail(deps, user.email, "uploadRejected", { user, link, expiresAt: null, name: fileName });
}

/** Use cases in `context.services.uploads`. */
export const uploadCheckServices = (deps: UploadCheckDeps) => bindUseCases(deps, { checkUploads });
