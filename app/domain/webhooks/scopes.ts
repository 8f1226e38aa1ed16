import type { Role } from "../shared/model";

/**
 * Scopes of an API token:
 * - read: reads the events, spaces, folders and media that its owner can see; every token has it
 * - events: events, their content and their links
 * - library: folders, spaces and media
 * - account: the owner's own profile, webhooks and audit log
 * - people: users, groups and the audit log, for administrators; without it, an administrator's token acts as an ordinary user's
 */
export const SCOPES = ["read", "events", "library", "account", "people"] as const;
/** One of the scopes. */
export type Scope = (typeof SCOPES)[number];

/** Whether a value is a scope. */
export const isScope = (value: unknown): value is Scope => SCOPES.includes(value as Scope);

/** Returns the scopes that a token of a person with this role can have, in addition to `read`. */
export const listScopes = (role: Role): readonly Exclude<Scope, "read">[] =>
  SCOPES.filter((scope) => scope !== "read").filter((scope) => scope !== "people" || role === "admin");

/** Returns scopes in their stored form: without duplicates, in the order of SCOPES, always with `read`. */
export const withRead = (scopes: readonly Scope[]): readonly Scope[] =>
  SCOPES.filter((scope) => scope === "read" || scopes.includes(scope));

/** Returns the role in which a token with these scopes acts. */
export const roleWith = (role: Role, scopes: readonly Scope[]): Role =>
  scopes.includes("people") ? role : "user";
