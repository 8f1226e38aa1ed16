import type { Actor } from "~/domain/auth/actor";
import type { Uuid } from "~/domain/shared/model";
import type { AUDIT_ACTIONS, AuditAction } from "~/domain/users/audit";
import { toInstant } from "../shared/digest";
import type { AuditEntry, Clock, IdSource } from "../shared/ports";

/**
 * Makes the audit entry of a change. `detail` names fields and ids, never secrets; `subjectId` whom it is about beside the
 * thing itself.
 */
export function auditEntry<Action extends AuditAction>(
  deps: { readonly clock: Clock; readonly ids: IdSource },
  actor: Actor | null,
  action: Action,
  resourceType: (typeof AUDIT_ACTIONS)[Action],
  resourceId: string,
  detail: AuditEntry["detail"] = {},
  subjectId: Uuid | null = null,
): AuditEntry {
  return {
    id: deps.ids.uuid(),
    at: toInstant(deps.clock.now()),
    actorId: actor?.userId ?? null,
    action,
    resourceType,
    resourceId,
    detail,
    subjectId,
    ...origin(actor),
  };
}

/** The session or token of the actor, as an audit entry stores it. */
const origin = (actor: Actor | null): Pick<AuditEntry, "credential" | "network"> =>
  actor?.credential
    ? { credential: `${actor.credential.kind}:${actor.credential.id}`, network: actor.credential.network }
    : {};
