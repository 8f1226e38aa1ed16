import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { isUuid } from "~/domain/shared/ids";
import { PAGE_SIZE } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import type { Slice } from "../shared/ports";
import { spaceResource } from "../spaces/spaces";
import type { AuditPerson, AuditQuery, AuditRow } from "./user-ports";

/** Dependencies of reading the audit log. */
export interface AuditLogDeps extends Pick<Repositories, "audit"> {
  readonly spaces: Pick<Repositories["spaces"], "find">;
  readonly users: Pick<Repositories["users"], "findByEmail" | "findListed">;
}

/** One page of the audit log, newest first. */
export interface AuditLogPage extends Slice<AuditRow> {
  /** The requested person. Null for everyone, and for an unknown address or id, for which the page is empty. */
  readonly person: AuditPerson | null;
}

/**
 * Lists the audit log, newest first, 20 entries a page by default, for administrators.
 * @param input.person an address or an id of the actor or of the affected person; null for everyone
 * @throws NotFoundError for callers who are not administrators
 */
export async function listAudit(
  deps: AuditLogDeps,
  input: {
    readonly actor: Actor;
    readonly person: string | null;
    readonly query: Omit<AuditQuery, "person">;
    readonly pageSize?: number;
  },
): Promise<AuditLogPage> {
  if (!can(input.actor, "list", { type: "audit", ownerId: null })) throw new NotFoundError("audit log");
  const { person: filter, query, pageSize = PAGE_SIZE } = input;
  if (filter === null)
    return { person: null, ...(await deps.audit.list({ ...query, person: null }, pageSize)) };
  const [user] = isUuid(filter)
    ? await deps.users.findListed([filter])
    : await deps.users.findByEmail([filter]);
  if (!user) return { person: null, items: [], hasPrevious: false, hasNext: false };
  const { id, firstName, lastName, email } = user;
  return {
    person: { id, firstName, lastName, email },
    ...(await deps.audit.list({ ...query, person: id }, pageSize)),
  };
}

/** Maximum number of entries on a space's page. */
const ACTIVITY_SHOWN = 8;

/**
 * The latest changes to a space and its events, newest first, for readers who can see the space.
 * @throws NotFoundError
 */
export async function listSpaceActivity(
  deps: AuditLogDeps,
  input: { readonly actor: Actor; readonly spaceId: Uuid },
): Promise<readonly AuditRow[]> {
  const space = await deps.spaces.find(input.spaceId);
  if (!space || !can(input.actor, "read", spaceResource(space))) throw new NotFoundError("space");
  const rows = await deps.audit.listAboutSpace(input.spaceId, ACTIVITY_SHOWN);
  // Only administrators receive the credential and the network of an entry.
  return rows.map((row) => ({ ...row, credential: null, network: null }));
}

/** `context.services.auditLog`. */
export const auditLogServices = (deps: AuditLogDeps) => bindUseCases(deps, { listSpaceActivity, listAudit });
