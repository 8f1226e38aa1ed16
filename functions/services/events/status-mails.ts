/** Mails to owners about events that the clock has opened or closed: decision 037. */
import type { Repositories } from "#functions/data/shared/repositories";
import { STOP_MAILS_PATH } from "~/domain/events/links";
import { EVENT_STATUS } from "~/domain/events/status";
import { textIn } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import { bindUseCases } from "../shared/bind";
import { toInstant } from "../shared/digest";
import { LinkError } from "../shared/errors";
import type { TextSealer } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import { type LinkDeps, sendEmail } from "./links";
import type { DueStatusMail } from "./status-mail-ports";

/** Mails of one run of the job. */
const MAILS_AT_ONCE = 50;
/** How often a mail that is refused is tried, and how long it waits: two minutes, then four, then eight… */
const TRIES = 6;
const WAIT_MS = 60_000;
/** A mail is read years later, and still says how such mails are stopped. */
const FOREVER = Number.MAX_SAFE_INTEGER;
const ABOUT = "status-mails";

/** Dependencies of these mails. */
export interface StatusMailDeps
  extends Pick<LinkDeps, "mailer" | "emailTemplate" | "origin" | "clock" | "ids">,
    Pick<Repositories, "statusMails"> {
  readonly textSealer: TextSealer;
}

/**
 * Sends the mails that are due, each of them once: a run takes a mail before it sends it, so that no other run has it; one that is cut off in
 * between is not sent again, as it may have gone out. For the cron trigger. Returns how many went out.
 */
export async function sendStatusMails(deps: StatusMailDeps): Promise<number> {
  let sent = 0;
  for (const mail of await deps.statusMails.take(toInstant(deps.clock.now()), MAILS_AT_ONCE)) {
    try {
      await sendOne(deps, mail);
      sent++;
    } catch {
      // The mailer has noted why.
      if (mail.tries < TRIES) {
        await deps.statusMails.putBack(mail.id, toInstant(deps.clock.now() + WAIT_MS * 2 ** mail.tries));
        continue;
      }
    }
    await deps.statusMails.remove(mail.id);
  }
  return sent;
}

async function sendOne(deps: StatusMailDeps, mail: DueStatusMail): Promise<void> {
  const { user, eventId, eventName, happenedAt, statusId } = mail;
  const token = deps.textSealer.seal(ABOUT, user.id, FOREVER);
  await sendEmail(deps, user.email, statusId === EVENT_STATUS.published ? "eventOpened" : "eventEnded", {
    user,
    expiresAt: null,
    name: textIn(eventName, user.language),
    at: happenedAt,
    link: `${deps.origin}/event/${eventId}?lang=${user.language}`,
    stopLink: `${deps.origin}${STOP_MAILS_PATH}?token=${token}&lang=${user.language}`,
  });
}

const readerOf = ({ textSealer, clock }: StatusMailDeps, token: string | null): Uuid => {
  const userId = token === null ? null : textSealer.open(ABOUT, token, clock.now());
  if (userId === null) throw new LinkError("unknown");
  return userId;
};

/**
 * True if the recipient of a stop link still gets these mails. Changes nothing, because mail scanners follow links too.
 * @throws LinkError link_unknown
 */
export async function inspectStatusMails(
  deps: StatusMailDeps,
  input: { readonly token: string | null },
): Promise<boolean> {
  const wanted = await deps.statusMails.isWanted(readerOf(deps, input.token));
  if (wanted === null) throw new LinkError("unknown");
  return wanted;
}

/**
 * Stops these mails for the recipient of a stop link. It is idempotent.
 * @throws LinkError link_unknown
 */
export async function stopStatusMails(
  deps: StatusMailDeps,
  input: { readonly token: string | null },
): Promise<void> {
  const userId = readerOf(deps, input.token);
  const entry = auditEntry(deps, null, "status_mails_stopped", "user", userId);
  await deps.statusMails.stop(userId, toInstant(deps.clock.now()), entry);
}

/** `context.services.statusMails`. */
export const statusMailServices = (deps: StatusMailDeps) =>
  bindUseCases(deps, { sendStatusMails, inspectStatusMails, stopStatusMails });
