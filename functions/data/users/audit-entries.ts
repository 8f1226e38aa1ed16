import { sql } from "drizzle-orm";
import type { AuditEntry } from "#functions/services/shared/ports";

/**
 * Beginning of a statement that writes audit entries with all columns, including the session or token and the network. The caller adds the condition:
 * `WHERE …`, or `JOIN … ON … = json_each.value ->> 'resourceId' WHERE …` for a condition on the resource of each entry.
 */
export const insertAuditEntries = (entries: readonly AuditEntry[]) =>
  sql`INSERT INTO audit (id, at, actor_id, action, resource_type, resource_id, detail, subject_id, credential, network)
    SELECT json_each.value ->> 'id', json_each.value ->> 'at', json_each.value ->> 'actorId', json_each.value ->> 'action',
      json_each.value ->> 'resourceType', json_each.value ->> 'resourceId', json_each.value -> 'detail',
      json_each.value ->> 'subjectId', json_each.value ->> 'credential', json_each.value ->> 'network'
    FROM json_each(${JSON.stringify(entries)})`;
