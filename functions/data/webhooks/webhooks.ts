import { and, desc, eq, sql } from "drizzle-orm";
import type { AuditEntry, Slice } from "#functions/services/shared/ports";
import type {
  ClaimedMessage,
  NewWebhook,
  Webhook,
  WebhookMessage,
  WebhookOwner,
} from "#functions/services/webhooks/webhook-ports";
import type { Cursor } from "~/domain/shared/cursor";
import type { Event, Instant, Localized, User, Uuid } from "~/domain/shared/model";
import type { WebhookTarget, WebhookValue } from "~/domain/webhooks/webhook.schema";
import type { DisabledReason, MessageState, MessageType } from "~/domain/webhooks/webhooks";
import { type DeliveryAttempt, SECRETS_MAX, WAITING_MAX } from "~/domain/webhooks/webhooks";
import {
  audit,
  events,
  LIVE,
  MAY_LOG_IN,
  MESSAGE_ORDER,
  users,
  WAITING,
  WEBHOOK_ORDER,
  webhookMessages,
  webhooks,
} from "../schema";
import { eventColumns, eventNameJson, parseName, parseTexts, userColumns } from "../shared/columns";
import { createCursorCondition, sortDirection, toSlice } from "../shared/cursor-page";
import { constants, type Db, first, isTaken, rawSql, run, runTogether } from "../shared/db";

const columns = {
  id: webhooks.id,
  url: webhooks.url,
  types: webhooks.types,
  spaceId: webhooks.spaceId,
  eventId: webhooks.eventId,
  targetName: sql<string | Localized | null>`CASE
    WHEN space_id IS NOT NULL THEN (SELECT json_quote(name) FROM spaces WHERE id = webhooks.space_id)
    WHEN event_id IS NOT NULL THEN (SELECT ${rawSql(eventNameJson("events"))} FROM events WHERE id = webhooks.event_id) END`
    .mapWith(parseName)
    .as("target_name"),
  createdAt: webhooks.createdAt,
  version: webhooks.version,
  disabledAt: webhooks.disabledAt,
  disabledWhy: webhooks.disabledWhy,
  failingSince: webhooks.failingSince,
  previousUntil: webhooks.previousUntil,
};

type WebhookRow = Omit<Webhook, "target"> & { readonly spaceId: Uuid | null; readonly eventId: Uuid | null };

function toWebhook({ spaceId, eventId, ...row }: WebhookRow): Webhook {
  if (spaceId !== null) return { ...row, target: { kind: "space", id: spaceId } };
  return { ...row, target: eventId === null ? { kind: "all" } : { kind: "event", id: eventId } };
}

const targetRow = (target: WebhookTarget) => ({
  spaceId: target.kind === "space" ? target.id : null,
  eventId: target.kind === "event" ? target.id : null,
});

/** Condition: the target's space or event exists and belongs to the user; true for all events. */
function ownsTarget(target: WebhookTarget, userId: Uuid) {
  if (target.kind === "all") return rawSql("1");
  return target.kind === "space"
    ? sql`EXISTS (SELECT 1 FROM spaces own WHERE own.id = ${target.id} AND own.owner_id = ${userId} AND own.deleted_at IS NULL)`
    : sql`EXISTS (SELECT 1 FROM events e JOIN spaces own ON own.id = e.space_id AND own.deleted_at IS NULL
        WHERE e.id = ${target.id} AND own.owner_id = ${userId} AND e.deleted_at IS NULL)`;
}

/** SQL of the webhooks with waiting messages: one index step per webhook, independent of the number of messages. */
const WEBHOOKS_WITH_WAITING = `WITH RECURSIVE waiting(id) AS (
    SELECT min(webhook_id) FROM webhook_messages WHERE ${WAITING}
    UNION ALL SELECT (SELECT min(webhook_id) FROM webhook_messages WHERE ${WAITING} AND webhook_id > waiting.id) FROM waiting
      WHERE waiting.id IS NOT NULL)
  SELECT id FROM waiting`;

/** The columns of its webhook that a claimed message contains. */
type ClaimedWebhook = Pick<ClaimedMessage, "userId" | "url" | "secrets" | "failingSince">;

/** Result row of a statement that claims a message. */
interface ClaimedRow extends Omit<ClaimedMessage, "log" | "claimedUntil" | keyof ClaimedWebhook> {
  readonly log: string;
  readonly webhook: string;
}

/** Webhooks and their messages. Methods with a userId find only that user's webhooks. */
export function webhookRepository(db: Db) {
  const isOwnWebhook = (userId: Uuid, id: Uuid) => and(eq(webhooks.userId, userId), eq(webhooks.id, id));
  /** Creates an audit entry that is written only if a webhook fulfils `condition`. Must come before a change that ends the condition. */
  const auditIf = (entry: typeof audit.$inferInsert, condition: ReturnType<typeof and>) =>
    db.insert(audit).select(db.select(constants(audit, entry)).from(webhooks).where(condition));

  /** Condition for w. For null: the webhook has waiting messages. Otherwise: it belongs to the given account, or to the owner of the given event. */
  const isOfOwner = (owner: WebhookOwner) => {
    if (owner === null) return rawSql(`w.id IN (${WEBHOOKS_WITH_WAITING})`);
    return "userId" in owner
      ? sql`w.user_id = ${owner.userId}`
      : sql`w.user_id = (SELECT s.owner_id FROM events e JOIN spaces s ON s.id = e.space_id WHERE e.id = ${owner.eventId})`;
  };

  return {
    /** Newest first. An account has few. */
    async list(userId: Uuid): Promise<readonly Webhook[]> {
      const rows = await run(
        db
          .select(columns)
          .from(webhooks)
          .where(eq(webhooks.userId, userId))
          .orderBy(desc(rawSql(WEBHOOK_ORDER))),
      );
      return rows.map(toWebhook);
    },

    async find(userId: Uuid, id: Uuid): Promise<Webhook | null> {
      const webhook = first(await run(db.select(columns).from(webhooks).where(isOwnWebhook(userId, id))));
      return webhook && toWebhook(webhook);
    },

    /** Adds a webhook, unless the account has `max` of them, does not own the space or event, or the id exists. */
    async add({ target, ...webhook }: NewWebhook, max: number, entry: AuditEntry) {
      const { userId } = webhook;
      const row = { ...webhook, ...targetRow(target), updatedAt: webhook.createdAt };
      // A webhook that exists passes, so that the insert reports it even when the account is full.
      const hasRoom = sql`((SELECT count(*) FROM webhooks WHERE user_id = ${userId}) < ${max} OR EXISTS (SELECT 1 FROM webhooks WHERE id = ${webhook.id}))`;
      const isOwnTarget = ownsTarget(target, userId);
      const mayAdd = and(eq(users.id, userId), rawSql(LIVE), isOwnTarget, hasRoom);
      try {
        const [rows, , inserted] = await run(
          db.batch([
            db
              .select({ isOwn: sql<number>`${isOwnTarget}`.as("is_own") })
              .from(users)
              .where(eq(users.id, userId)),
            db.insert(audit).select(db.select(constants(audit, entry)).from(users).where(mayAdd)),
            db
              .insert(webhooks)
              .select(db.select(constants(webhooks, row)).from(users).where(mayAdd))
              .returning({ id: webhooks.id }),
          ]),
        );
        if (inserted.length === 1) return "added";
        return rows[0]?.isOwn ? "too_many" : "no_target";
      } catch (error) {
        if (isTaken(error, "webhooks.id")) return "exists";
        throw error;
      }
    },

    /** "stale" also when it was deleted. */
    async update(
      { id, userId, target, url, types }: Pick<NewWebhook, "id" | "userId"> & WebhookValue,
      version: number,
      now: Instant,
      entry: AuditEntry,
    ) {
      const isCurrent = and(isOwnWebhook(userId, id), eq(webhooks.version, version));
      const isOwnTarget = ownsTarget(target, userId);
      const [rows, , updated] = await run(
        db.batch([
          db
            .select({ isOwn: sql<number>`${isOwnTarget}`.as("is_own") })
            .from(webhooks)
            .where(isCurrent),
          auditIf(entry, and(isCurrent, isOwnTarget)),
          db
            .update(webhooks)
            .set({ url, types, ...targetRow(target), updatedAt: now, version: version + 1 })
            .where(and(isCurrent, isOwnTarget))
            .returning({ id: webhooks.id }),
        ]),
      );
      if (updated.length === 1) return "updated";
      return rows.length === 1 ? "no_target" : "stale";
    },

    /** Pauses or resumes a webhook. Returns false when nothing changes, or it does not exist. */
    async setPaused(userId: Uuid, id: Uuid, isPaused: boolean, now: Instant, entry: AuditEntry) {
      const willChange = and(
        isOwnWebhook(userId, id),
        rawSql(isPaused ? "disabled_at IS NULL" : "disabled_at IS NOT NULL"),
      );
      const [, updated] = await run(
        db.batch([
          auditIf(entry, willChange),
          db
            .update(webhooks)
            .set({
              disabledAt: isPaused ? now : null,
              disabledWhy: isPaused ? "paused" : null,
              failingSince: null,
              updatedAt: now,
            })
            .where(willChange)
            .returning({ id: webhooks.id }),
        ]),
      );
      return updated.length === 1;
    },

    /**
     * Sets another sealed secret. The previous one is valid until `until`, and the latest earlier ones until their own expiry. Returns false when
     * the webhook has another version or does not exist.
     */
    async renewSecret(
      userId: Uuid,
      id: Uuid,
      version: number,
      secret: string,
      { now, until }: { readonly now: Instant; readonly until: Instant },
      entry: AuditEntry,
    ) {
      // An owner who renews a secret twice within a day may still use the first one.
      const olderSecrets = sql`(SELECT json_group_array(json(value)) FROM (SELECT value FROM
        (SELECT value FROM json_each(older_secrets)
          UNION ALL SELECT json_object('secret', previous_secret, 'until', previous_until))
        WHERE value ->> 'until' > ${now} ORDER BY value ->> 'until' DESC LIMIT ${SECRETS_MAX - 2}))`;
      const isCurrent = and(isOwnWebhook(userId, id), eq(webhooks.version, version));
      const [, updated] = await run(
        db.batch([
          auditIf(entry, isCurrent),
          db
            .update(webhooks)
            .set({
              olderSecrets: olderSecrets,
              previousSecret: sql`${webhooks.secret}`,
              previousUntil: until,
              secret,
              version: version + 1,
            })
            .where(isCurrent)
            .returning({ id: webhooks.id }),
        ]),
      );
      return updated.length === 1;
    },

    /** Deletes a webhook. @param version expected version; null for any */
    async remove(userId: Uuid, id: Uuid, version: number | null, entry: AuditEntry) {
      const isCurrent = and(
        isOwnWebhook(userId, id),
        version === null ? undefined : eq(webhooks.version, version),
      );
      const [, removed] = await run(
        db.batch([
          auditIf(entry, isCurrent),
          db.delete(webhooks).where(isCurrent).returning({ id: webhooks.id }),
        ]),
      );
      return removed.length === 1;
    },

    /** A page of the webhook's messages, newest first. */
    async listMessages(webhookId: Uuid, cursor: Cursor, size: number): Promise<Slice<WebhookMessage>> {
      const sortKey = rawSql(MESSAGE_ORDER);
      const cursorCondition = createCursorCondition(
        cursor,
        true,
        sortKey,
        (id) => sql`(SELECT ${sortKey} FROM webhook_messages WHERE id = ${id})`,
      );
      const rows = await run(
        db
          .select({
            id: webhookMessages.id,
            type: webhookMessages.type,
            at: webhookMessages.at,
            state: webhookMessages.state,
            eventName:
              sql<Localized | null>`(SELECT ${rawSql(eventNameJson("events"))} FROM events WHERE id = webhook_messages.event_id)`
                .mapWith(parseTexts)
                .as("message_event"),
            nextAt: webhookMessages.nextAt,
            log: webhookMessages.log,
          })
          .from(webhookMessages)
          .where(sql`${eq(webhookMessages.webhookId, webhookId)}${cursorCondition}`)
          .orderBy(sql`${sortKey} ${sortDirection(cursor, true)}`)
          .limit(size + 1),
      );
      return toSlice(rows, size, cursor);
    },

    /** Adds a message without an event. Returns false when the webhook is disabled or does not exist. */
    async addMessage(
      userId: Uuid,
      webhookId: Uuid,
      { id, type, at }: { readonly id: Uuid; readonly type: MessageType; readonly at: Instant },
    ) {
      const added = await run(
        db
          .insert(webhookMessages)
          .select(
            db
              .select(constants(webhookMessages, { id, webhookId, type, at, nextAt: at }))
              .from(webhooks)
              .where(and(isOwnWebhook(userId, webhookId), rawSql("disabled_at IS NULL"))),
          )
          .returning({ id: webhookMessages.id }),
      );
      return added.length === 1;
    },

    /** Schedules a message for now, in any state. Returns false when it is being sent or does not exist, or the webhook is disabled. */
    async sendAgain(userId: Uuid, webhookId: Uuid, messageId: Uuid, now: Instant) {
      const updated = await run(
        db
          .update(webhookMessages)
          .set({ state: "waiting", nextAt: now, attempts: 0 })
          .where(
            and(
              eq(webhookMessages.id, messageId),
              eq(webhookMessages.webhookId, webhookId),
              sql`(${webhookMessages.claimedUntil} IS NULL OR ${webhookMessages.claimedUntil} <= ${now})`,
              sql`EXISTS (SELECT 1 FROM webhooks own WHERE own.id = ${webhookId} AND own.user_id = ${userId} AND own.disabled_at IS NULL)`,
            ),
          )
          .returning({ id: webhookMessages.id }),
      );
      return updated.length === 1;
    },

    /**
     * Claims, until `until`, the due message that has waited longest. Webhooks that already have a claimed message are skipped. Messages for webhooks
     * that are not failing come first. Null when there is none.
     */
    async claim(owner: WebhookOwner, now: Instant, until: Instant): Promise<ClaimedMessage | null> {
      // WAITING begins with the name of its column, so that `due.` before it names the table.
      const [rows] = await runTogether(db, [
        sql`UPDATE webhook_messages SET attempts = attempts + 1, claimed_until = ${until}
          WHERE id = (SELECT m.id FROM webhooks w
            JOIN users ON users.id = w.user_id AND ${rawSql(MAY_LOG_IN)}
            JOIN webhook_messages m ON m.id = (SELECT due.id FROM webhook_messages due
              WHERE due.webhook_id = w.id AND due.${rawSql(WAITING)} ORDER BY due.next_at LIMIT 1)
            WHERE ${isOfOwner(owner)} AND w.disabled_at IS NULL AND m.next_at <= ${now}
              AND NOT EXISTS (SELECT 1 FROM webhook_messages held WHERE held.webhook_id = w.id AND held.claimed_until > ${now})
            ORDER BY w.failing_since IS NOT NULL, m.next_at, m.id LIMIT 1)
          RETURNING id, webhook_id AS webhookId, event_id AS eventId, type, at, body, attempts, log,
            (SELECT json_object('userId', user_id, 'url', url, 'failingSince', failing_since,
              'secrets', (SELECT json_group_array(own.secret) FROM (
                SELECT secret UNION ALL SELECT previous_secret WHERE previous_until > ${now}
                UNION ALL SELECT value ->> 'secret' FROM json_each(older_secrets) WHERE value ->> 'until' > ${now}) own))
              FROM webhooks WHERE webhooks.id = webhook_messages.webhook_id) AS webhook`,
      ]);
      const [row] = (rows ?? []) as ClaimedRow[];
      if (!row) return null;
      const { log, webhook, ...message } = row;
      return {
        ...message,
        ...(JSON.parse(webhook) as ClaimedWebhook),
        log: JSON.parse(log) as DeliveryAttempt[],
        claimedUntil: until,
      };
    },

    /** Stores the body of a message. */
    async writeBody(id: Uuid, body: string) {
      await run(db.update(webhookMessages).set({ body }).where(eq(webhookMessages.id, id)));
    },

    /** Finds an event, including events in the trash. */
    async findEvent(id: Uuid): Promise<Event | null> {
      return first(await run(db.select(eventColumns).from(events).where(eq(events.id, id))));
    },

    /**
     * Records the result of an attempt, unless another request has claimed the message. If the result disables the webhook, all its waiting
     * messages fail; else the oldest beyond the maximum fail.
     * @returns the owner of a webhook that this result disabled; else null
     */
    async settle(
      { id, webhookId, claimedUntil }: Pick<ClaimedMessage, "id" | "webhookId" | "claimedUntil">,
      result: {
        readonly state: MessageState;
        readonly nextAt: Instant | null;
        readonly log: readonly DeliveryAttempt[];
        readonly failingSince: Instant | null;
        readonly disables: DisabledReason | null;
        readonly at: Instant;
      },
      entry: AuditEntry,
    ): Promise<User | null> {
      const { state, nextAt, log, failingSince, disables, at } = result;
      const isClaimed = and(eq(webhookMessages.id, id), eq(webhookMessages.claimedUntil, claimedUntil));
      const hasClaim = sql`EXISTS ${db.select({ id: webhookMessages.id }).from(webhookMessages).where(isClaimed)}`;
      // The webhook is written only if it changes, because most deliveries do not change its state.
      const updateFailures = db
        .update(webhooks)
        .set({ failingSince })
        .where(
          and(eq(webhooks.id, webhookId), sql`${webhooks.failingSince} IS NOT ${failingSince}`, hasClaim),
        );
      const settleMessage = db
        .update(webhookMessages)
        .set({ state, log, claimedUntil: null, ...(nextAt !== null && { nextAt }) })
        .where(isClaimed);
      const selectWaiting = sql`SELECT rowid FROM webhook_messages WHERE webhook_id = ${webhookId} AND ${rawSql(WAITING)}`;
      const failOverflow = db
        .update(webhookMessages)
        .set({ state: "failed" })
        .where(
          sql`EXISTS (${selectWaiting} ORDER BY next_at LIMIT 1 OFFSET ${WAITING_MAX}) AND claimed_until IS NULL
            AND rowid IN (${selectWaiting} ORDER BY at DESC, rowid DESC LIMIT -1 OFFSET ${WAITING_MAX})`,
        );
      if (disables === null) {
        await run(db.batch([updateFailures, settleMessage, failOverflow]));
        return null;
      }
      const canDisable = and(eq(webhooks.id, webhookId), rawSql("disabled_at IS NULL"), hasClaim);
      const isNowDisabled = sql`EXISTS (SELECT 1 FROM webhooks w WHERE w.id = ${webhookId} AND w.disabled_at = ${at} AND w.disabled_why = ${disables})`;
      const [, , , , owners] = await run(
        db.batch([
          updateFailures,
          auditIf(entry, canDisable),
          db.update(webhooks).set({ disabledAt: at, disabledWhy: disables }).where(canDisable),
          db
            .update(webhookMessages)
            .set({ state: "failed" })
            .where(and(eq(webhookMessages.webhookId, webhookId), rawSql(WAITING), hasClaim, isNowDisabled)),
          db
            .select(userColumns)
            .from(users)
            .where(
              and(
                sql`${users.id} = (SELECT user_id FROM webhooks WHERE id = ${webhookId})`,
                hasClaim,
                isNowDisabled,
              ),
            ),
          settleMessage,
        ]),
      );
      return first(owners);
    },

    /** Deletes messages from before an instant. Returns their number. */
    async deleteOld(before: Instant) {
      const { meta } = await run(db.delete(webhookMessages).where(sql`${webhookMessages.at} < ${before}`));
      return meta.changes;
    },
  };
}
