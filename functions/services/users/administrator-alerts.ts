/** Mails to all administrators, for example about changed roles and email addresses (decision 042). */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { Role, User } from "~/domain/shared/model";
import type { LinkDeps } from "../auth/mail-links";
import { sendEmail } from "../auth/mail-links";
import type { EmailContent, EmailKind, EmailLine } from "../shared/ports";

/** Maximum number of administrators who receive a mail. */
const ADMINISTRATORS_MAX = 1000;
const CONCURRENT_MAILS = 10;
/** Maximum number of changes that a mail lists, because a file of users may change thousands. */
const LINES_MAX = 50;

/** Dependencies of mails to administrators. */
export interface AlertDeps extends Pick<LinkDeps, "mailer" | "emailTemplate" | "origin"> {
  readonly account: Pick<Repositories["account"], "listAdministrators">;
  readonly users: Pick<Repositories["users"], "find">;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Line about a changed role, or about a new administrator. */
export const roleLine = (email: string, role: Role): EmailLine => ({
  phrase: role === "admin" ? "madeAdministrator" : "madeUser",
  values: { email },
});
/** Line about an invited administrator. */
export const invitedLine = (email: string): EmailLine => ({
  phrase: "administratorInvited",
  values: { email },
});
/** Line about an administrator who may log in again. */
export const readmittedLine = (email: string): EmailLine => ({
  phrase: "administratorBack",
  values: { email },
});
/** Line about a changed email address of another user. */
export const addressLine = (from: string, to: string): EmailLine => ({
  phrase: "addressChanged",
  values: { from, to },
});

/** Mails all administrators, after the response, about changes by an administrator. Sends nothing without lines. */
export function alertAdministrators(deps: AlertDeps, actor: Actor, lines: readonly EmailLine[]): void {
  if (lines.length === 0) return;
  const hiddenCount = lines.length - LINES_MAX;
  const visibleLines = hiddenCount > 0 ? [...lines.slice(0, LINES_MAX), moreLine(hiddenCount)] : lines;
  const work = async () => {
    const actorEmail = (await deps.users.find(actor.userId))?.email ?? actor.userId;
    const link = `${deps.origin}/audit?action=user`;
    await mailAdministrators(deps, "privilegesChanged", { link, name: actorEmail, lines: visibleLines });
  };
  deps.defer(work());
}

const moreLine = (count: number): EmailLine => ({ phrase: "more", values: { count } });

/** Sends a mail to every administrator who may log in (at most ADMINISTRATORS_MAX), a few at a time. @throws MailError when one mail was rejected, after the others were sent */
export async function mailAdministrators(
  deps: Pick<AlertDeps, "mailer" | "emailTemplate" | "account">,
  kind: EmailKind,
  content: Omit<EmailContent, "user" | "expiresAt">,
): Promise<void> {
  const administrators = await deps.account.listAdministrators(ADMINISTRATORS_MAX);
  const send = (user: User) => sendEmail(deps, user.email, kind, { ...content, user, expiresAt: null });
  const results: PromiseSettledResult<void>[] = [];
  for (let i = 0; i < administrators.length; i += CONCURRENT_MAILS)
    results.push(...(await Promise.allSettled(administrators.slice(i, i + CONCURRENT_MAILS).map(send))));
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}
