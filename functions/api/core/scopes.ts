/** Which scope an access token needs for a call: told in the document, and asked before anything is read. Services ask again (app/domain/scopes). */

import type { CurrentSession } from "#functions/services/auth/sessions";
import { InteractiveSessionRequiredError, ScopeError } from "#functions/services/shared/errors";
import type { Scope } from "~/domain/webhooks/scopes";
import type { Call, Tag } from "./call";

/** What a part of the API asks of tokens that read there, and of those that change something. */
const SCOPES_OF: Readonly<Record<Tag, { readonly read: Scope; readonly change: Scope }>> = {
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

/** The scope that a token needs for a call; null where no token is asked for, or none is good. */
export function scopeOf({ who, problems, scope, tag, method }: Call): Scope | null {
  if (who === "anyone" || problems?.includes("session_required")) return null;
  return scope ?? SCOPES_OF[tag][method === "GET" ? "read" : "change"];
}

/** That whoever calls by a token has the scope of the call, and that a token may call it at all. @throws ScopeError or InPersonError */
export function requireScope(call: Call, { actor, user }: CurrentSession): void {
  if (actor.scopes !== undefined && call.problems?.includes("session_required"))
    throw new InteractiveSessionRequiredError();
  const scope = scopeOf(call);
  if (scope === null || actor.scopes === undefined || actor.scopes.includes(scope)) return;
  // Nobody else can give it, and is told what everybody is told who may not.
  if (scope === "people" && user.role !== "admin") return;
  throw new ScopeError(scope);
}
