import * as z from "zod";
import { InvalidError } from "#functions/services/shared/errors";
import type { AuditRow } from "#functions/services/users/user-ports";
import { singleName } from "~/domain/events/event-texts";
import { field } from "~/domain/shared/fields.schema";
import { EMAIL_MAX } from "~/domain/shared/limits";
import {
  AUDIT_ACTIONS,
  AUDIT_KINDS,
  type AuditAction,
  type AuditKind,
  isAuditAction,
} from "~/domain/users/audit";
import { call, type JsonOf } from "../core/call";
import { cursorParams, instantText, optional, optionalText, readInstant } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { personJson } from "../core/record-json";
import { sliceResponse } from "../core/request";
import { instant, PersonSchema } from "../core/schemas";

const AuditEntrySchema = z
  .object({
    uuid: z.string(),
    at: instant,
    action: z.string(),
    actor: PersonSchema.nullable().meta({
      description: "Null for scheduled actions and for deleted accounts.",
    }),
    resource_type: z.enum(AUDIT_KINDS),
    resource_uuid: z.string(),
    resource_name: z.string().nullable().meta({ description: "Null if the resource no longer exists." }),
    subject: z
      .string()
      .nullable()
      .meta({ description: "The person that the action affected in addition to the resource." }),
    detail: z.looseObject({}),
    credential: z.string().nullable().meta({
      description:
        "The credential of the action: `session:` and the handle of a session, or `token:` and the id of an access token. Neither grants access.",
    }),
    network: z.string().nullable().meta({
      description: "A keyed hash of the caller's network. Equal networks have equal hashes.",
    }),
  })
  .meta({ id: "AuditEntry" });

const entryJson = (row: AuditRow): JsonOf<typeof AuditEntrySchema> => ({
  uuid: row.id,
  at: row.at,
  action: row.action,
  actor: row.actor && personJson(row.actor),
  resource_type: row.resourceType,
  resource_uuid: row.resourceId,
  resource_name:
    row.resource && ("name" in row.resource ? singleName(row.resource.name) : row.resource.person.email),
  subject: row.subjectId ?? null,
  detail: row.detail as JsonOf<typeof AuditEntrySchema>["detail"],
  credential: row.credential ?? null,
  network: row.network ?? null,
});

/** One action, or all actions on one kind of resource. */
const actionField = optional(
  field<{ readonly action: AuditAction | null; readonly kind: AuditKind | null }>((value) => {
    const kind = AUDIT_KINDS.find((auditKind) => auditKind === value) ?? null;
    if (kind !== null) return { value: { kind, action: null } };
    return isAuditAction(value) ? { value: { kind, action: value } } : { error: "users:auditLog.badAction" };
  }),
  {
    type: "string",
    enum: [...AUDIT_KINDS, ...Object.keys(AUDIT_ACTIONS)],
    description: "One action, or all actions on one kind of resource.",
  },
);

/** The audit log: /v1/audit, /v1/spaces/{uuid}/activity. */
export const auditCalls = [
  call({
    id: "listAudit",
    method: "GET",
    path: "/v1/audit",
    tag: "audit",
    summary: "List the audit log, newest first",
    who: "user",
    may: "Administrators.",
    query: z.object({
      ...cursorParams,
      person: optionalText({
        type: "string",
        maxLength: EMAIL_MAX,
        description: "Email address or id of the actor or of the affected person.",
      }),
      action: actionField,
      from: instantText("Earliest time."),
      to: instantText("Latest time."),
    }),
    response: z.array(AuditEntrySchema),
    list: "cursor",
    handle: async ({ c, services, actor, user: { timeZone }, query: auditQuery }) => {
      const { action = null, kind = null } = auditQuery.action ?? {};
      const from = auditQuery.from === undefined ? null : readInstant(auditQuery.from, timeZone);
      const to = auditQuery.to === undefined ? null : readInstant(auditQuery.to, timeZone, { end: true });
      if (from !== null && to !== null && from >= to)
        throw new InvalidError({ to: [{ key: "users:auditLog.badOrder" }] });
      const query = { action, kind, from, to, cursor: auditQuery.cursor };
      const person = auditQuery.person?.trim() || null;
      return sliceResponse(
        c,
        await services.auditLog.listAudit({ actor, person, query, pageSize: auditQuery.limit }),
        entryJson,
      );
    },
  }),

  call({
    id: "listSpaceActivity",
    method: "GET",
    path: "/v1/spaces/{uuid}/activity",
    tag: "audit",
    summary: "List the latest actions on a space and its events, newest first, at most 8",
    who: "user",
    scope: "read",
    may: PERMISSION_TEXTS.shared,
    response: z.array(AuditEntrySchema),
    wholeListKey: "uuid",
    handle: async ({ services, actor, params: { uuid: spaceId } }) =>
      (await services.auditLog.listSpaceActivity({ actor, spaceId })).map(entryJson),
  }),
];
