import type { Actor, Role } from "../shared/model";
import type { Action, Resource } from "../shared/permissions";

/**
 * Scopes of an access token:
 * - read: reads everything that its owner can see; every token has it
 * - events: events, their content and their links
 * - library: folders, spaces and media
 * - account: the owner's own profile and webhooks
 * - people: users, groups and the audit trail, for administrators; without it, an administrator's token acts as an ordinary user's
 */
export const SCOPES = ["read", "events", "library", "account", "people"] as const;
/** One of the scopes. */
export type Scope = (typeof SCOPES)[number];

/** Whether a value is a scope. */
export const isScope = (value: unknown): value is Scope => SCOPES.includes(value as Scope);

/** Returns the scopes that a token of a person with this role can have, in addition to `read`. */
export const scopesOf = (role: Role): readonly Scope[] =>
  SCOPES.filter((scope) => scope !== "read" && (scope !== "people" || role === "admin"));

/** Returns scopes in their stored form: without duplicates, in the order of SCOPES, always with `read`. */
export const withRead = (scopes: readonly Scope[]): readonly Scope[] =>
  SCOPES.filter((scope) => scope === "read" || scopes.includes(scope));

/** Returns the scope that a token needs for an action on a resource. This is the only place that decides it. */
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

/** Whether an actor's token has the scope that an action needs. An actor who has logged in needs none. */
export const hasScope = (actor: Actor, action: Action, resource: Resource): boolean =>
  actor.scopes === undefined || actor.scopes.includes(neededScope(actor.userId, action, resource));

/** Returns the role in which a token with these scopes acts. */
export const roleWith = (role: Role, scopes: readonly Scope[]): Role =>
  scopes.includes("people") ? role : "user";
