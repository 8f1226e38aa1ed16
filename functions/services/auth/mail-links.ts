import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import {
  isLinkToken,
  LINK_LIFETIME_MS,
  LINK_MEMORY_DAYS,
  LINK_PATHS,
  LINKS_PER_HOUR,
} from "~/domain/auth/mail-links";
import { DAY_MS } from "~/domain/shared/day";
import type { LinkPurpose, User } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import type { ActionOf } from "~/domain/users/audit";
import { bindUseCases } from "../shared/bind";
import { InvalidError, LinkError, MailError, RateLimitedError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, EmailContent, EmailKind, EmailTemplate, IdSource, Mailer } from "../shared/ports";
import { sha256Hex } from "../shared/sha256";
import { auditEntry } from "../users/audit-entry";
import type { AccountChange, LinkWithUser, UserLink } from "./auth-ports";

/* Links in mails that can be used once: invitations, links for a new password, and confirmations of a new address. */

/** Number of attempts to use a link when its account is saved at the same time. */
const USE_ATTEMPTS = 3;

/** Dependencies of creating, mailing and using links. */
export interface LinkDeps extends Pick<Repositories, "links"> {
  readonly mailer: Mailer;
  readonly emailTemplate: EmailTemplate;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Origin of the links in mails, without a trailing slash. */
  readonly origin: string;
}

/** A link to create: its user and its purpose. */
export interface IssueLinkInput {
  /** The account that sends it; null without a session. */
  readonly actor: Actor | null;
  readonly user: User;
  readonly purpose: LinkPurpose;
  /** Recipient; default: the user's own address. */
  readonly email?: string;
  /** True for an invitation that activates the account when it is accepted. */
  readonly activates?: boolean;
}

/** A new link. Its URL is available only here, because the server stores only a hash of its token. */
export interface IssuedLink {
  readonly link: Omit<UserLink, "usedAt">;
  /** The whole URL with the token, of a page in the recipient's language. */
  readonly url: string;
}

/**
 * Creates a link and revokes the account's earlier ones of the same purpose. Sends no mail: see sendLink.
 * @throws RateLimitedError after LINKS_PER_HOUR links of the account and purpose within an hour, and for a deleted account
 */
export async function issueLink(
  deps: Pick<LinkDeps, "links" | "clock" | "ids" | "origin">,
  input: IssueLinkInput,
): Promise<IssuedLink> {
  const { user, purpose } = input;
  const token = deps.ids.token();
  const now = deps.clock.now();
  const link = {
    id: await sha256Hex(token),
    userId: user.id,
    purpose,
    email: input.email ?? user.email,
    activates: input.activates ?? false,
    createdAt: toInstant(now),
    expiresAt: toInstant(now + LINK_LIFETIME_MS[purpose]),
  };
  const issued = await deps.links.issue(
    link,
    { since: toInstant(now - 3_600_000), max: LINKS_PER_HOUR },
    auditEntry(deps, input.actor, `${purpose}_link_sent`, "user", user.id, {
      ...(purpose === "invitation" && { role: user.role }),
    }),
  );
  if (!issued) throw new RateLimitedError(`${purpose} links`, { key: "auth:services.tooManyLinks" });
  return { link, url: `${deps.origin}${LINK_PATHS[purpose]}?token=${token}&lang=${user.language}` };
}

/**
 * Creates a link and mails it, in the recipient's language.
 * @throws RateLimitedError as issueLink
 * @throws MailError when the mail was rejected: the link is deleted, and the earlier links stay closed
 */
export async function sendLink(deps: LinkDeps, input: IssueLinkInput): Promise<void> {
  const { link, url } = await issueLink(deps, input);
  const content = { user: input.user, link: url, expiresAt: link.expiresAt, email: link.email };
  try {
    await sendEmail(deps, link.email, input.purpose, content);
  } catch (error) {
    await deps.links.withdraw(link.id);
    throw error;
  }
}

/** Sends an email. @throws MailError when it was rejected */
export async function sendEmail(
  deps: Pick<LinkDeps, "mailer" | "emailTemplate">,
  to: string,
  kind: EmailKind,
  content: EmailContent,
): Promise<void> {
  try {
    await deps.mailer.send({ to, ...deps.emailTemplate(kind, content) });
  } catch (error) {
    throw new MailError(error);
  }
}

/**
 * Reads a link without using it, because mail scanners follow links too.
 * @throws LinkError link_unknown if it was never issued, has another purpose or is no longer stored (LINK_MEMORY_DAYS); link_used;
 *   link_expired, also when a newer link has replaced it or the address has changed since
 */
export async function inspectLink(
  deps: Pick<LinkDeps, "links" | "clock">,
  input: { readonly purpose: LinkPurpose; readonly token: string | null },
): Promise<LinkWithUser> {
  const { purpose, token } = input;
  const stored = isLinkToken(token) ? await deps.links.find(await sha256Hex(token), purpose) : null;
  if (!stored) throw new LinkError("unknown");
  const { link, user } = stored;
  if (link.usedAt !== null) throw new LinkError("used");
  const addressChanged = purpose !== "email" && nameKey(link.email) !== nameKey(user.email);
  if (addressChanged || Date.parse(link.expiresAt) <= deps.clock.now()) throw new LinkError("expired");
  return stored;
}

/**
 * Uses a link once: of two concurrent uses, one succeeds, and the other gets link_used.
 * @param change the change to the account, decided from the link and the account; it may throw
 * @returns the link with the account as it was before
 * @throws LinkError as inspectLink
 * @throws InvalidError email_taken when the change sets an address that another account has
 * @throws Error when the account is saved during each of USE_ATTEMPTS attempts
 */
export async function redeemLink(
  deps: Pick<LinkDeps, "links" | "clock" | "ids">,
  input: { readonly purpose: LinkPurpose; readonly token: string | null; readonly action: ActionOf<"user"> },
  change: (link: LinkWithUser) => AccountChange | Promise<AccountChange>,
): Promise<LinkWithUser> {
  for (let attempt = 1; ; attempt++) {
    const link = await inspectLink(deps, input);
    const { user } = link;
    const actor: Actor = { userId: user.id, role: user.role, groupIds: [] };
    const result = await deps.links.redeem(
      link,
      await change(link),
      toInstant(deps.clock.now()),
      auditEntry(deps, actor, input.action, "user", user.id, {
        ...(input.action === "email_changed" && { from: user.email, to: link.link.email }),
      }),
    );
    if (result === "redeemed") return link;
    if (result === "email_taken")
      throw new InvalidError({ email: [{ key: "api:services.emailTaken" }] }, "email_taken");
    // The link was used meanwhile, which the next read reports; or the account was saved, so the change must be decided again.
    if (attempt === USE_ATTEMPTS) throw new Error("the account was saved during each attempt");
  }
}

/** Deletes links that ended long ago; for the cron trigger. */
export function deleteExpiredLinks(deps: Pick<LinkDeps, "links" | "clock">): Promise<number> {
  return deps.links.deleteExpired(toInstant(deps.clock.now() - LINK_MEMORY_DAYS * DAY_MS));
}

/** `context.services.links`. */
export const linkServices = (deps: LinkDeps) => bindUseCases(deps, { deleteExpiredLinks });
