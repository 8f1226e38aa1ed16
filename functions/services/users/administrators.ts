import type { Repositories } from "#functions/data/shared/repositories";
import { DEFAULT_LIMITS } from "~/domain/shared/limits";
import type { Instant, Lang, User } from "~/domain/shared/model";
import { DEFAULT_TIME_ZONE } from "~/domain/shared/time-zone";
import { issueLink, type LinkDeps } from "../events/links";
import { rootFolders } from "../folders/folders";
import { instant } from "../shared/digest";
import { ForbiddenError, InvalidError } from "../shared/errors";
import type { PasswordHasher } from "../shared/ports";
import { auditEntry } from "./audit-entry";

/** What making the first administrator needs. No mail goes out. */
export interface AdministratorDeps extends Pick<LinkDeps, "links" | "clock" | "ids" | "origin"> {
  readonly account: Pick<Repositories["account"], "listAdministrators">;
  readonly sessions: Pick<Repositories["sessions"], "findCredentials">;
  readonly users: Pick<Repositories["users"], "create">;
  readonly hasher: Pick<PasswordHasher, "dummyHash">;
}

/** Who becomes administrator. */
export interface FirstAdministratorInput {
  /** As emailField leaves it. */
  readonly email: string;
  /** Of the account and of the page behind the link. */
  readonly language: Lang;
  /** Also when there are administrators who may log in. */
  readonly force: boolean;
}

/** An invitation that no mail carries: whoever made it hands it over. */
export interface HandedInvitation {
  readonly url: string;
  readonly expiresAt: Instant;
}

/**
 * Makes an administrator where there is none to invite one: for the command of whoever runs the deployment, and for no door of
 * the product. The account has no password; the link sets it and activates the account. Asked again for an administrator who
 * has not accepted yet, it makes a new link.
 * @throws ForbiddenError when an administrator may log in, unless `force` is set
 * @throws InvalidError email_taken when the address is that of any other account
 */
export async function inviteFirstAdministrator(
  deps: AdministratorDeps,
  { email, language, force }: FirstAdministratorInput,
): Promise<HandedInvitation> {
  const administrators = await deps.account.listAdministrators(1);
  if (administrators.length > 0 && !force) throw new ForbiddenError("another first administrator");
  const found = (await deps.sessions.findCredentials(email))?.user ?? null;
  const waits = found?.role === "admin" && found.status === "EMAIL_UNVERIFIED";
  const user = waits ? found : found === null ? await createAdministrator(deps, email, language) : null;
  if (!user) throw emailTaken();
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
    createdAt: instant(deps.clock.now()),
  } as const;
  const created = await deps.users.create(
    { ...fields, passwordHash: deps.hasher.dummyHash },
    rootFolders(deps, id),
    auditEntry(deps, null, "first_administrator_created", "user", id),
  );
  if (created === "email_taken") throw emailTaken();
  return {
    ...fields,
    spaceCount: 0,
    storageUsed: 0,
    statusMails: false,
    deletionRequestedAt: null,
    version: 1,
  };
}

const emailTaken = () => new InvalidError({ email: [{ key: "api:services.emailTaken" }] }, "email_taken");
