/** Mails to owners about events that opened or closed automatically: decision 037. */
import type { Repositories } from "#functions/data/shared/repositories";
import { STOP_MAILS_PATH } from "~/domain/auth/mail-links";
import { EVENT_STATUS } from "~/domain/events/status";
import { textIn } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import { type LinkDeps, sendEmail } from "../auth/mail-links";
import { bindUseCases } from "../shared/bind";
import { LinkError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { TextSealer } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type { DueStatusMail } from "./event-ports";

/** Maximum number of mails per run of the cron trigger. */
const MAILS_PER_RUN = 50;
/** Maximum number of attempts to send a mail. The delays between them are two minutes, then four, eight, sixteen and thirty-two. */
const SEND_ATTEMPTS = 6;
const RETRY_BASE_MS = 60_000;
/** Expiry of stop links, with which a recipient stops these mails: a mail may be read years later, and its stop link still works. */
const NEVER_EXPIRES = Number.MAX_SAFE_INTEGER;
const SEAL_PURPOSE = "status-mails";

/** Dependencies of mails about statuses. */
export interface StatusMailDeps
  extends Pick<LinkDeps, "mailer" | "emailTemplate" | "origin" | "clock" | "ids">,
    Pick<Repositories, "statusMails"> {
  readonly textSealer: TextSealer;
}

/**
 * Sends the due mails once each, for the cron trigger. A run takes a mail before it sends it, so that no other run sends it. A mail of an interrupted
 * run is not sent again, because it may have been sent. Returns the number of sent mails.
 */
export async function sendStatusMails(deps: StatusMailDeps): Promise<number> {
  let sentCount = 0;
  for (const mail of await deps.statusMails.take(toInstant(deps.clock.now()), MAILS_PER_RUN)) {
    try {
      await sendStatusMail(deps, mail);
      sentCount++;
    } catch {
      // The mailer has logged the error.
      if (mail.tries < SEND_ATTEMPTS) {
        await deps.statusMails.putBack(
          mail.id,
          toInstant(deps.clock.now() + RETRY_BASE_MS * 2 ** mail.tries),
        );
        continue;
      }
    }
    await deps.statusMails.remove(mail.id);
  }
  return sentCount;
}

async function sendStatusMail(deps: StatusMailDeps, mail: DueStatusMail): Promise<void> {
  const { user, eventId, eventName, happenedAt, statusId } = mail;
  const token = deps.textSealer.seal(SEAL_PURPOSE, user.id, NEVER_EXPIRES);
  await sendEmail(deps, user.email, statusId === EVENT_STATUS.published ? "eventOpened" : "eventEnded", {
    user,
    expiresAt: null,
    name: textIn(eventName, user.language),
    at: happenedAt,
    link: `${deps.origin}/event/${eventId}?lang=${user.language}`,
    stopLink: `${deps.origin}${STOP_MAILS_PATH}?token=${token}&lang=${user.language}`,
  });
}

const readUnsubscribeToken = ({ textSealer, clock }: StatusMailDeps, token: string | null): Uuid => {
  const userId = token === null ? null : textSealer.open(SEAL_PURPOSE, token, clock.now());
  if (userId === null) throw new LinkError("unknown");
  return userId;
};

/**
 * Returns whether the recipient of a stop link still gets these mails. Changes nothing, because mail scanners follow links too.
 * @throws LinkError link_unknown
 */
export async function inspectStatusMails(
  deps: StatusMailDeps,
  input: { readonly token: string | null },
): Promise<boolean> {
  const isWanted = await deps.statusMails.isWanted(readUnsubscribeToken(deps, input.token));
  if (isWanted === null) throw new LinkError("unknown");
  return isWanted;
}

/** Stops these mails for the recipient of a stop link. A second call has no effect. @throws LinkError link_unknown */
export async function stopStatusMails(
  deps: StatusMailDeps,
  input: { readonly token: string | null },
): Promise<void> {
  const userId = readUnsubscribeToken(deps, input.token);
  const entry = auditEntry(deps, null, "status_mails_stopped", "user", userId);
  await deps.statusMails.stop(userId, toInstant(deps.clock.now()), entry);
}

/** `context.services.statusMails`. */
export const statusMailServices = (deps: StatusMailDeps) =>
  bindUseCases(deps, { sendStatusMails, inspectStatusMails, stopStatusMails });
