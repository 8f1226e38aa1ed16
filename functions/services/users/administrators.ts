import type { Repositories } from "#functions/data/shared/repositories";
import { NO_PASSWORD } from "~/domain/auth/no-password";
import { DEFAULT_LIMITS } from "~/domain/shared/limits";
import type { Instant, Lang, User } from "~/domain/shared/model";
import { DEFAULT_TIME_ZONE } from "~/domain/shared/time-zone";
import { issueLink, type LinkDeps } from "../auth/mail-links";
import { createRootFolders } from "../folders/root-folders";
import { ForbiddenError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { auditEntry } from "./audit-entry";
import { emailTakenError } from "./users";

/** Dependencies of creating the first administrator. No mail is sent. */
export interface AdministratorDeps extends Pick<LinkDeps, "links" | "clock" | "ids" | "origin"> {
  readonly account: Pick<Repositories["account"], "listAdministrators">;
  readonly sessions: Pick<Repositories["sessions"], "findCredentials">;
  readonly users: Pick<Repositories["users"], "create">;
}

/** Values of the new administrator. */
export interface FirstAdministratorInput {
  /** Normalised by emailField. */
  readonly email: string;
  /** Language of the account, if it is created. */
  readonly language: Lang;
  /** Whether to continue although an administrator can log in. */
  readonly force: boolean;
}

/** An invitation that is not mailed. The operator passes the link on. */
export interface UnmailedInvitation {
  readonly url: string;
  readonly expiresAt: Instant;
}

/**
 * Creates an administrator if there is none who could invite one. Only the operator's command uses it; no page and no API call does. The account has
 * no password; the link sets it and activates the account. Repeating the command for an administrator who has not accepted yet creates a new link.
 * @throws ForbiddenError when an administrator can log in, unless `force` is set
 * @throws InvalidError email_taken when another account has the address
 * @throws RateLimitedError as issueLink
 */
export async function inviteFirstAdministrator(
  deps: AdministratorDeps,
  { email, language, force }: FirstAdministratorInput,
): Promise<UnmailedInvitation> {
  const administrators = await deps.account.listAdministrators(1);
  if (administrators.length > 0 && !force) throw new ForbiddenError("another first administrator");
  const existing = (await deps.sessions.findCredentials(email))?.user ?? null;
  const isInvited = existing?.role === "admin" && existing.status === "EMAIL_UNVERIFIED";
  const user = isInvited
    ? existing
    : existing === null
      ? await createAdministrator(deps, email, language)
      : null;
  if (!user) throw emailTakenError();
  const { link, url } = await issueLink(deps, { actor: null, user, purpose: "invitation", activates: true });
  return { url, expiresAt: link.expiresAt };
}

async function createAdministrator(deps: AdministratorDeps, email: string, language: Lang): Promise<User> {
  const id = deps.ids.uuid();
  const fields = {
    id,
    email,
    firstName: "",
    lastName: "",
    companyName: "",
    role: "admin",
    status: "EMAIL_UNVERIFIED",
    ...DEFAULT_LIMITS,
    language,
    timeZone: DEFAULT_TIME_ZONE,
    createdAt: toInstant(deps.clock.now()),
  } as const;
  const created = await deps.users.create(
    { ...fields, passwordHash: NO_PASSWORD },
    createRootFolders(deps, id),
    auditEntry(deps, null, "first_administrator_created", "user", id),
  );
  if (created === "email_taken") throw emailTakenError();
  return {
    ...fields,
    spaceCount: 0,
    storageUsed: 0,
    statusMails: false,
    deletionRequestedAt: null,
    version: 1,
  };
}
