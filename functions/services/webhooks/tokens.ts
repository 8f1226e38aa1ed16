import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { DAY_MS } from "~/domain/shared/day";
import { TOKENS_MAX } from "~/domain/shared/limits";
import type { Instant, User, Uuid } from "~/domain/shared/model";
import { canLogIn } from "~/domain/users/user-status";
import { listScopes, roleWith, type Scope, withRead } from "~/domain/webhooks/scopes";
import { tokenEndProblem } from "~/domain/webhooks/token.schema";
import { isApiToken, makeToken, type TokenStatus, tokenHint, tokenStatus } from "~/domain/webhooks/tokens";
import { countUse } from "../auth/limit-attempts";
import { type LinkDeps, sendEmail } from "../auth/mail-links";
import {
  type ReauthenticationCheckDeps,
  requireInteractiveSession,
  requirePresence,
} from "../auth/require-reauthentication";
import { mustSetUpFactor } from "../auth/second-factor";
import { authenticate, type CurrentSession, type SessionDeps, type TicketInput } from "../auth/sessions";
import { bindUseCases } from "../shared/bind";
import { InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { sha256Hex } from "../shared/sha256";
import { auditEntry } from "../users/audit-entry";
import type { ApiToken } from "./token-ports";

/** Minimum interval between two updates of a token's last use, in milliseconds. */
const TOUCH_INTERVAL_MS = 10 * 60_000;
/** Maximum number of listed tokens, including expired and revoked ones. */
const TOKENS_SHOWN = 100;
/** Time after its expiry for which a token is still listed, in milliseconds, also if it was revoked. */
const LISTED_AFTER_END_MS = 30 * DAY_MS;

/** Dependencies of the use cases of API tokens. */
export interface TokenDeps
  extends ReauthenticationCheckDeps,
    Pick<LinkDeps, "mailer" | "emailTemplate">,
    SessionDeps,
    Pick<Repositories, "tokens"> {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Origin of this product, without a trailing slash. */
  readonly origin: string;
}

/** A token in the list of its owner. */
export interface ListedToken extends ApiToken {
  readonly status: TokenStatus;
}

/**
 * Creates an API token, which is shown only once, and notifies its owner by mail.
 * @param input.scopes scopes of the token, in addition to `read`
 * @param input.authenticatedAt time of the session's last password or passkey check; a recent one (isRecentLogIn) needs no password
 * @throws InteractiveSessionRequiredError for callers that use an API token
 * @throws InvalidError password_required, wrong_password, too_many_tokens; made_before when the same form was submitted before; an invalid expiry;
 *   scopes that the account cannot grant
 * @throws RateLimitedError after ten tokens within a minute, or too many wrong passwords
 */
export async function createToken(
  deps: TokenDeps,
  input: {
    readonly user: User;
    readonly actor: Actor;
    readonly authenticatedAt: Instant;
    /** Id of the form: submitting the same form again creates no second token. */
    readonly id: Uuid;
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly expiresAt: Instant;
    readonly currentPassword: string;
  },
): Promise<{ readonly token: string; readonly record: ApiToken }> {
  const { id, user, actor, name, expiresAt } = input;
  requireInteractiveSession(actor);
  const endProblem = tokenEndProblem(expiresAt, deps.clock.now());
  if (endProblem !== null) throw new InvalidError({ lastDay: [{ key: endProblem }] });
  const scopes = withRead(input.scopes);
  if (!scopes.every((scope) => scope === "read" || listScopes(user.role).includes(scope)))
    throw new InvalidError({ scopes: [{ key: "webhooks:errors.token.scopes" }] });
  await requirePresence(deps, {
    actor,
    authenticatedAt: input.authenticatedAt,
    password: input.currentPassword,
  });
  await countUse(deps.limiter, [`tokens:${actor.userId}`], "new tokens");
  const token = makeToken(
    Uint8Array.from(atob(base64(deps.ids.token())), (character) => character.charCodeAt(0)),
  );
  const createdAt = toInstant(deps.clock.now());
  const record = { id, name, hint: tokenHint(token), scopes, createdAt, expiresAt };
  const outcome = await deps.tokens.add(
    { ...record, userId: actor.userId, hash: await sha256Hex(token) },
    TOKENS_MAX,
    auditEntry(deps, actor, "token_created", "user", actor.userId, { name, scopes, expiresAt }),
  );
  if (outcome === "exists") throw new InvalidError({}, "made_before");
  if (outcome === "too_many")
    throw new InvalidError({ "": [{ key: "webhooks:errors.token.tooMany" }] }, "too_many_tokens");
  const link = `${deps.origin}/account/tokens`;
  deps.defer(sendEmail(deps, user.email, "tokenCreated", { user, link, expiresAt: null, name }));
  return { token, record: { ...record, lastUsedAt: null, revokedAt: null } };
}

const base64 = (base64url: string) => base64url.replaceAll("-", "+").replaceAll("_", "/");

/** Lists the actor's tokens, newest first, including ended ones; at most 100. @throws InteractiveSessionRequiredError as createToken */
export async function listTokens(
  deps: Pick<TokenDeps, "tokens" | "clock">,
  input: { readonly actor: Actor },
): Promise<readonly ListedToken[]> {
  requireInteractiveSession(input.actor);
  const now = deps.clock.now();
  const tokens = await deps.tokens.list(input.actor.userId, TOKENS_SHOWN);
  return tokens.map((token) => ({ ...token, status: tokenStatus(token, now) }));
}

/** Revokes one of the actor's tokens. @throws NotFoundError when the actor has no such valid token; InteractiveSessionRequiredError as createToken */
export async function revokeToken(
  deps: Pick<TokenDeps, "tokens" | "clock" | "ids">,
  input: { readonly actor: Actor; readonly tokenId: Uuid },
): Promise<void> {
  const { actor, tokenId } = input;
  requireInteractiveSession(actor);
  const now = toInstant(deps.clock.now());
  const entry = auditEntry(deps, actor, "token_revoked", "user", actor.userId, { token: tokenId });
  if (!(await deps.tokens.revoke(actor.userId, tokenId, now, entry))) throw new NotFoundError("token");
}

/**
 * Authenticates `Authorization: Bearer`: a session ticket or an API token, distinguished by their form. One D1 round trip, and another for an
 * account whose role requires a second factor; none for a token with a wrong checksum. Returns null if the credential is unknown or has ended, and for
 * an account that may not log in.
 */
export async function authenticateBearer(
  deps: TokenDeps,
  input: { readonly bearer: string | null } & Omit<TicketInput, "ticket">,
): Promise<CurrentSession | null> {
  const { bearer, ...requestInfo } = input;
  if (!isApiToken(bearer)) return authenticate(deps, { ticket: bearer, ...requestInfo });
  const now = deps.clock.now();
  const stored = await deps.tokens.find(await sha256Hex(bearer), toInstant(now));
  if (!stored || !canLogIn(stored.user.status)) return null;
  const { user, token, groupIds } = stored;
  recordTokenUse(deps, token);
  const { scopes } = token;
  return {
    user,
    actor: {
      userId: user.id,
      role: roleWith(user.role, scopes),
      groupIds,
      scopes,
      credential: {
        kind: "token",
        id: token.id,
        authenticatedAt: token.createdAt,
        network: input.network === undefined ? null : deps.hashNetwork(input.network),
      },
    },
    sessionId: token.id,
    authenticatedAt: token.createdAt,
    expiresAt: token.expiresAt,
    mustSetUpFactor: await mustSetUpFactor(deps, user),
  };
}

/** Stores the last use of a token, after the response and at most once per TOUCH_INTERVAL_MS. */
export function recordTokenUse(
  deps: { readonly tokens: Pick<Repositories["tokens"], "touch"> } & Pick<TokenDeps, "clock" | "defer">,
  { id, lastUsedAt }: Pick<ApiToken, "id" | "lastUsedAt">,
): void {
  const now = deps.clock.now();
  if (lastUsedAt === null || now - Date.parse(lastUsedAt) >= TOUCH_INTERVAL_MS)
    deps.defer(deps.tokens.touch(id, toInstant(now)));
}

/** Deletes tokens that expired more than LISTED_AFTER_END_MS ago; for the cron trigger. Returns their number. */
export function deleteExpiredTokens(deps: Pick<TokenDeps, "tokens" | "clock">): Promise<number> {
  return deps.tokens.deleteExpired(toInstant(deps.clock.now() - LISTED_AFTER_END_MS));
}

/** `context.services.tokens`. */
export const tokenServices = (deps: TokenDeps) =>
  bindUseCases(deps, {
    createToken,
    listTokens,
    revokeToken,
    authenticateBearer,
    deleteExpiredTokens,
  });
