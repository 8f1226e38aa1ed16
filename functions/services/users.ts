import type { Actor, Lang, Role, User, UserStatus, Uuid } from "~/domain/model";
import { can } from "~/domain/permissions";
import { auditEntry } from "./audit";
import { instant } from "./digest";
import { ForbiddenError, InvalidError, NotFoundError } from "./errors";
import { rootFolders } from "./folders";
import { pageRequest } from "./pages";
import type { Clock, IdSource, Page, PasswordHasher, UserRepository } from "./ports";

export interface UserDeps {
  readonly users: UserRepository;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface CreateUserInput {
  readonly actor: Actor;
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly spaceLicense: number;
  /** Bytes. */
  readonly storageLimit: number;
  readonly language: Lang;
  readonly timeZone: string;
}

/** All users, newest first, 20 a page; for administrators. @throws NotFoundError for others, to whom there is no such list */
export async function listUsers(
  deps: Pick<UserDeps, "users">,
  input: { readonly actor: Actor; readonly q?: string; readonly page?: number },
): Promise<Page<User>> {
  if (!can(input.actor, "list", { type: "user", id: null })) throw new NotFoundError("user list");
  return deps.users.list({ q: input.q ?? "", page: pageRequest(input.page) });
}

/** The actor's own account, or another one for administrators. @throws NotFoundError when not visible */
export async function getAccount(
  deps: Pick<UserDeps, "users">,
  input: { readonly actor: Actor; readonly userId?: Uuid },
): Promise<User> {
  const id = input.userId ?? input.actor.userId;
  const user = can(input.actor, "read", { type: "user", id }) ? await deps.users.find(id) : null;
  if (!user) throw new NotFoundError("user");
  return user;
}

/**
 * Adds an account with its two root folders; for administrators. Input is checked by the schema of its form.
 * @throws ForbiddenError for others
 * @throws InvalidError email_taken
 */
export async function createUser(deps: UserDeps, input: CreateUserInput): Promise<User> {
  const { actor, password, ...fields } = input;
  if (!can(actor, "create", { type: "user", id: null })) throw new ForbiddenError("create user");
  const id = deps.ids.uuid();
  const createdAt = instant(deps.clock.now());
  const result = await deps.users.create(
    { ...fields, id, passwordHash: await deps.hasher.hash(password), createdAt },
    rootFolders(deps, id),
    auditEntry(deps, actor, "user_created", "user", id),
  );
  if (result === "email_taken") {
    throw new InvalidError({ email: [{ key: "services.emailTaken" }] }, "email_taken");
  }
  return { ...fields, id, spaceCount: 0, storageUsed: 0, deletionRequestedAt: null, createdAt, version: 1 };
}

/** `context.services.users`. */
export const userServices = (deps: UserDeps) => ({
  listUsers: (input: Parameters<typeof listUsers>[1]) => listUsers(deps, input),
  getAccount: (input: Parameters<typeof getAccount>[1]) => getAccount(deps, input),
  createUser: (input: CreateUserInput) => createUser(deps, input),
});
export type UserServices = ReturnType<typeof userServices>;
