import type { Actor, Role } from "../shared/model";
import type { Action, Resource } from "../shared/permissions";

/**
 * What an access token may be good for:
 * - read: to read what its owner sees; every token is
 * - events: events, their content and their links
 * - library: folders, spaces and media
 * - account: the owner's own profile and webhooks
 * - people: users, groups and the audit trail, for administrators: without it a token of theirs is that of an ordinary user
 */
export const SCOPES = ["read", "events", "library", "account", "people"] as const;
/** One of them. */
export type Scope = (typeof SCOPES)[number];

/** Whether a value is a scope. */
export const isScope = (value: unknown): value is Scope => SCOPES.includes(value as Scope);

/** The scopes that a token of somebody in a role can be given, beside `read`. */
export const scopesOf = (role: Role): readonly Scope[] =>
  SCOPES.filter((scope) => scope !== "read" && (scope !== "people" || role === "admin"));

/** Scopes as they are kept: each once, in their order, `read` always. */
export const withRead = (scopes: readonly Scope[]): readonly Scope[] =>
  SCOPES.filter((scope) => scope === "read" || scopes.includes(scope));

/** Which scope a token needs to do something to a thing. The only place that decides it. */
export function neededScope(userId: string, action: Action, resource: Resource): Scope {
  switch (resource.type) {
    case "user":
      return resource.id === userId ? "account" : "people";
    case "audit":
      return resource.ownerId === userId ? "account" : "people";
    case "group":
      return "people";
    default:
      if (action === "list" || action === "read") return "read";
      return resource.type === "event" || resource.type === "tag" || resource.type === "eventMedia"
        ? "events"
        : "library";
  }
}

/** Whether an actor's token is good for something; whoever has logged in needs none. */
export const hasScope = (actor: Actor, action: Action, resource: Resource): boolean =>
  actor.scopes === undefined || actor.scopes.includes(neededScope(actor.userId, action, resource));

/** The role in which a token with these scopes acts. */
export const roleWith = (role: Role, scopes: readonly Scope[]): Role =>
  scopes.includes("people") ? role : "user";
