/**
 * The scope that an API token needs for a call. The OpenAPI document states it, and it is checked before the call's input is read. Services check it again
 * (app/domain/shared/permissions.ts).
 */

import type { CurrentSession } from "#functions/services/auth/sessions";
import { InteractiveSessionRequiredError, ScopeError } from "#functions/services/shared/errors";
import type { Scope } from "~/domain/webhooks/scopes";
import type { Call, Tag } from "./call";

/** Scopes that API tokens need in each section of the API, for reading and for changes. */
const SCOPES_BY_TAG: Readonly<Record<Tag, { readonly read: Scope; readonly change: Scope }>> = {
  account: { read: "account", change: "account" },
  webhooks: { read: "account", change: "account" },
  users: { read: "people", change: "people" },
  groups: { read: "people", change: "people" },
  audit: { read: "people", change: "people" },
  spaces: { read: "read", change: "library" },
  folders: { read: "read", change: "library" },
  media: { read: "read", change: "library" },
  uploads: { read: "read", change: "library" },
  batches: { read: "read", change: "library" },
  trash: { read: "read", change: "library" },
  events: { read: "read", change: "events" },
  content: { read: "read", change: "events" },
  history: { read: "read", change: "events" },
  store: { read: "read", change: "events" },
  reports: { read: "read", change: "events" },
  visitors: { read: "read", change: "events" },
  packages: { read: "read", change: "library" },
  about: { read: "read", change: "read" },
};

/** The scope that an API token needs for a call; null if the call needs no token or accepts none. */
export function getCallScope({ who, problems, scope, tag, method }: Call): Scope | null {
  if (who === "anyone" || problems?.includes("session_required")) return null;
  return scope ?? SCOPES_BY_TAG[tag][method === "GET" ? "read" : "change"];
}

/**
 * Checks that an API token has the scope of the call, and that the call accepts API tokens.
 * @throws ScopeError or InteractiveSessionRequiredError
 */
export function requireScope(call: Call, { actor, user }: CurrentSession): void {
  if (actor.scopes !== undefined && call.problems?.includes("session_required"))
    throw new InteractiveSessionRequiredError();
  const scope = getCallScope(call);
  if (scope === null || actor.scopes === undefined || actor.scopes.includes(scope)) return;
  // Only administrators can grant this scope. Others get the response for callers without permission.
  if (scope === "people" && user.role !== "admin") return;
  throw new ScopeError(scope);
}
