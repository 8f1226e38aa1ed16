import type { Actor } from "~/domain/auth/actor";
import type { Uuid } from "~/domain/shared/model";
import type { AUDIT_ACTIONS, AuditAction } from "~/domain/users/audit";
import { toInstant } from "../shared/instant";
import type { AuditEntry, Clock, IdSource } from "../shared/ports";

/**
 * Creates the audit entry of a change. `detail` must not contain secrets. `subjectId` is the affected person other than the resource itself.
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
    ...credentialFields(actor),
  };
}

/** The session or token of the actor and its network, as an audit entry stores them. */
const credentialFields = (actor: Actor | null): Pick<AuditEntry, "credential" | "network"> =>
  actor?.credential
    ? { credential: `${actor.credential.kind}:${actor.credential.id}`, network: actor.credential.network }
    : {};
