/** Mails to all administrators about changes of roles, invitations and addresses of others (decision 042). */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { Role, User } from "~/domain/shared/model";
import type { LinkDeps } from "../events/links";
import { sendEmail } from "../events/links";
import type { EmailContent, EmailKind, EmailLine } from "../shared/ports";

/** Largest number of administrators that are mailed. No deployment has as many. */
const ADMINISTRATORS_MAX = 1000;
const MAILS_AT_ONCE = 10;
/** Largest number of lines of such a mail: a file of users may change thousands. */
const LINES_MAX = 50;

/** Dependencies of mails to administrators. */
export interface AlertDeps extends Pick<LinkDeps, "mailer" | "emailTemplate" | "origin"> {
  readonly account: Pick<Repositories["account"], "listAdministrators">;
  readonly users: Pick<Repositories["users"], "find">;
  /** Lets work finish after the answer was sent (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** A role that was set. */
export const roleLine = (email: string, role: Role): EmailLine => ({
  phrase: role === "admin" ? "madeAdministrator" : "madeUser",
  values: { email },
});
/** An administrator who was invited. */
export const invitedLine = (email: string): EmailLine => ({
  phrase: "administratorInvited",
  values: { email },
});
/** An administrator who may log in again. */
export const backLine = (email: string): EmailLine => ({ phrase: "administratorBack", values: { email } });
/** Another person's address that was changed. */
export const addressLine = (from: string, to: string): EmailLine => ({
  phrase: "addressChanged",
  values: { from, to },
});

/** Mails all administrators, after the response, about changes by an administrator. Sends nothing without lines. */
export function alertAdministrators(deps: AlertDeps, actor: Actor, lines: readonly EmailLine[]): void {
  if (lines.length === 0) return;
  const more = lines.length - LINES_MAX;
  const visibleLines = more > 0 ? [...lines.slice(0, LINES_MAX), moreLine(more)] : lines;
  const work = async () => {
    const name = (await deps.users.find(actor.userId))?.email ?? actor.userId;
    const link = `${deps.origin}/audit?action=user`;
    await mailAdministrators(deps, "privilegesChanged", { link, name, lines: visibleLines });
  };
  deps.defer(work());
}

const moreLine = (count: number): EmailLine => ({ phrase: "more", values: { count } });

/** Mails a letter to every administrator who may log in, a few at a time. @throws MailError when one was refused, after the others were sent */
export async function mailAdministrators(
  deps: Pick<AlertDeps, "mailer" | "emailTemplate" | "account">,
  kind: EmailKind,
  content: Omit<EmailContent, "user" | "expiresAt">,
): Promise<void> {
  const readers = await deps.account.listAdministrators(ADMINISTRATORS_MAX);
  const send = (user: User) => sendEmail(deps, user.email, kind, { ...content, user, expiresAt: null });
  const results: PromiseSettledResult<void>[] = [];
  for (let i = 0; i < readers.length; i += MAILS_AT_ONCE)
    results.push(...(await Promise.allSettled(readers.slice(i, i + MAILS_AT_ONCE).map(send))));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}
