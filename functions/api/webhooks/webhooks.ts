import * as z from "zod";
import { ConflictError, InvalidError } from "#functions/services/shared/errors";
import type { Webhook, WebhookMessage } from "#functions/services/webhooks/webhook-ports";
import { singleName, singleText } from "~/domain/events/event-texts";
import { WEBHOOK_URL_MAX } from "~/domain/shared/limits";
import { createWebhookUpdateSchema, type WebhookTarget, writeTarget } from "~/domain/webhooks/webhook.schema";
import {
  ANSWER_MAX,
  DISABLED_WHY,
  EVENT_MESSAGES,
  MESSAGE_STATES,
  OLD_SECRET_HOURS,
  OUTCOMES,
  TEST_MESSAGE,
  WEBHOOK_STATUSES,
  webhookStatus,
} from "~/domain/webhooks/webhooks";
import { call, type JsonOf } from "../core/call";
import {
  checkedLater,
  optionalId,
  optionalLater,
  optionalVersion,
  removableId,
  slices,
} from "../core/fields";
import { MAY } from "../core/may";
import { type ApiCall, check, type JsonBody, renamed, sliceResponse } from "../core/request";
import { count, DeletedSchema, id, instant, SuccessSchema } from "../core/schemas";
import { deletedJson } from "../core/shapes";
import { requireVersion } from "../core/versions";

const WebhookSchema = z
  .object({
    uuid: id,
    url: z.string(),
    types: z.array(z.enum(EVENT_MESSAGES)),
    space_uuid: id.nullable().meta({ description: "Only events of this space." }),
    event_uuid: id.nullable().meta({ description: "Only this event." }),
    target_name: z.string().nullable().meta({ description: "The name of that space or event." }),
    status: z.enum(WEBHOOK_STATUSES),
    disabled_why: z
      .enum(DISABLED_WHY)
      .nullable()
      .meta({ description: "Why nothing is sent: by hand, nothing arrived for days, or 410." }),
    disabled_at: instant.nullable(),
    failing_since: instant.nullable().meta({ description: "Since when nothing has arrived." }),
    previous_secret_until: instant
      .nullable()
      .meta({ description: "Until when the secret before this one signs as well." }),
    created_at: instant,
    version: count,
  })
  .meta({ id: "Webhook" });

const NewSecretSchema = z
  .object({
    ...WebhookSchema.shape,
    secret: z.string().meta({ description: "With which messages are signed. It is told once, here." }),
  })
  .meta({ id: "WebhookWithSecret" });

const MessageSchema = z
  .object({
    uuid: id.meta({ description: "`webhook-id` of the message is `msg_` and this." }),
    type: z.enum([...EVENT_MESSAGES, TEST_MESSAGE]),
    timestamp: instant.meta({ description: "When it happened." }),
    state: z.enum(MESSAGE_STATES),
    event_name: z
      .string()
      .nullable()
      .meta({ description: "As it is now; null for a test, and for an event that is gone." }),
    next_at: instant.nullable().meta({ description: "When it is sent next; null when it is not." }),
    attempts: z
      .array(
        z.object({
          at: instant,
          outcome: z.enum(OUTCOMES).meta({
            description:
              "`answer` is one that says no, `redirect` is not followed; for `address` and `secret` nothing was sent, as the address may not be called or the secret can be read no more.",
          }),
          status: z.int().nullable().meta({ description: "Of the receiver's answer." }),
          ms: z.number().meta({ description: "Milliseconds until the answer." }),
          answer: z.string().meta({ description: `Its first ${ANSWER_MAX} characters.` }),
        }),
      )
      .meta({ description: "The last ones, the oldest first." }),
  })
  .meta({ id: "WebhookMessage" });

const webhookJson = (webhook: Webhook): JsonOf<typeof WebhookSchema> => ({
  uuid: webhook.id,
  url: webhook.url,
  types: webhook.types,
  space_uuid: webhook.target.kind === "space" ? webhook.target.id : null,
  event_uuid: webhook.target.kind === "event" ? webhook.target.id : null,
  target_name: webhook.targetName === null ? null : singleName(webhook.targetName),
  status: webhookStatus(webhook),
  disabled_why: webhook.disabledWhy,
  disabled_at: webhook.disabledAt,
  failing_since: webhook.failingSince,
  previous_secret_until: webhook.previousUntil,
  created_at: webhook.createdAt,
  version: webhook.version,
});

const messageJson = (message: WebhookMessage): JsonOf<typeof MessageSchema> => ({
  uuid: message.id,
  type: message.type,
  timestamp: message.at,
  state: message.state,
  event_name: message.eventName && singleText(message.eventName),
  next_at: message.state === "waiting" ? message.nextAt : null,
  attempts: message.log.map(({ at, outcome, status, ms, answer }) => ({ at, outcome, status, ms, answer })),
});

const url = {
  type: "string",
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX,
  description: "https on a public host name, without a port.",
  examples: ["https://example.com/hooks/hiroba"],
};
const types = {
  type: "array",
  minItems: 1,
  items: { type: "string", enum: EVENT_MESSAGES },
  description: "What it is told.",
};
const SPACE = "Only what happens to events of this space, which is the caller's own.";
const EVENT = "Only what happens to this event, of a space of the caller's own. Not with `space_uuid`.";

/** Which field of the body named a target that is none. */
const targetField = (body: { readonly event_uuid?: unknown }) =>
  body.event_uuid == null ? "space_uuid" : "event_uuid";

/** Which events a body names; what it does not name is as it is. @throws InvalidError for both at once */
function targetOf(
  body: { readonly space_uuid?: string | null; readonly event_uuid?: string | null },
  saved: WebhookTarget,
): WebhookTarget {
  if (body.space_uuid && body.event_uuid)
    throw new InvalidError({ event_uuid: [{ key: "webhooks:errors.webhook.target" }] });
  if (body.event_uuid) return { kind: "event", id: body.event_uuid };
  if (body.space_uuid) return { kind: "space", id: body.space_uuid };
  if (saved.kind === "all") return saved;
  // Named and empty: this one is taken away.
  return body[`${saved.kind}_uuid`] === null ? { kind: "all" } : saved;
}

/** The values of the form that a body makes, checked as the form is. */
async function valuesOf(c: ApiCall, sent: JsonBody, target: WebhookTarget) {
  const { version: _version, ...shape } = createWebhookUpdateSchema(c.env.config.isAllowedStoreHost).shape;
  return check(z.object(shape), { url: sent.url, types: sent.types, target: writeTarget(target) });
}

/** Webhooks and the log of their messages: /v1/webhooks. */
export const webhookCalls = [
  call({
    id: "listWebhooks",
    method: "GET",
    path: "/v1/webhooks",
    tag: "webhooks",
    summary: "One's webhooks, newest first",
    description: "An account has at most ten.",
    who: "user",
    may: MAY.own,
    answer: z.array(WebhookSchema),
    whole: "uuid",
    problems: ["forbidden"],
    handle: async ({ services, actor }) => (await services.webhooks.listWebhooks({ actor })).map(webhookJson),
  }),

  call({
    id: "createWebhook",
    method: "POST",
    path: "/v1/webhooks",
    tag: "webhooks",
    summary: "Have an address told what happens to one's events",
    description:
      "All of one's own events, those of one space, or one. Messages are signed as Standard Webhooks says, with the `secret` of this answer.",
    who: "user",
    may: MAY.own,
    body: z.object({
      url: checkedLater(url),
      types: checkedLater(types),
      space_uuid: optionalId(SPACE),
      event_uuid: optionalId(EVENT),
    }),
    status: 201,
    answer: NewSecretSchema,
    problems: ["forbidden", "too_many_webhooks"],
    repeatable: true,
    tagged: true,
    handle: async ({ c, services, actor, body, sent }) => {
      const values = await valuesOf(c, sent, targetOf(body, { kind: "all" }));
      const webhookId = crypto.randomUUID();
      const { secret } = await renamed(
        services.webhooks.createWebhook({ actor, id: webhookId, values }),
        () => ({ target: targetField(body) }),
      );
      return { ...webhookJson(await services.webhooks.findWebhook({ actor, webhookId })), secret };
    },
  }),

  call({
    id: "getWebhook",
    method: "GET",
    path: "/v1/webhooks/{uuid}",
    tag: "webhooks",
    summary: "A webhook",
    who: "user",
    may: MAY.own,
    answer: WebhookSchema,
    problems: ["forbidden"],
    tagged: true,
    handle: async ({ services, actor, params }) =>
      webhookJson(await services.webhooks.findWebhook({ actor, webhookId: params.uuid })),
  }),

  call({
    id: "updateWebhook",
    method: "PUT",
    path: "/v1/webhooks/{uuid}",
    tag: "webhooks",
    summary: "Change where a webhook sends and what",
    description: "Changes only what it names. An empty `space_uuid` or `event_uuid` takes that limit away.",
    who: "user",
    may: MAY.own,
    body: z.object({
      url: optionalLater(url),
      types: optionalLater(types),
      space_uuid: removableId(SPACE),
      event_uuid: removableId(EVENT),
      version: optionalVersion,
    }),
    answer: WebhookSchema,
    problems: ["forbidden"],
    tagged: true,
    guarded: true,
    handle: async ({ c, services, actor, params, body, sent }) => {
      const webhookInput = { actor, webhookId: params.uuid };
      const saved = await services.webhooks.findWebhook(webhookInput);
      const { url = saved.url, types = saved.types } = sent;
      const values = await valuesOf(c, { url, types }, targetOf(body, saved.target));
      const version = body.version ?? saved.version;
      const result = await renamed(
        services.webhooks.updateWebhook({ ...webhookInput, version, values }),
        () => ({
          target: targetField(body),
        }),
      );
      const now = webhookJson(await services.webhooks.findWebhook(webhookInput));
      if (result === "conflict") throw new ConflictError(now, sent);
      return now;
    },
  }),

  call({
    id: "deleteWebhook",
    method: "DELETE",
    path: "/v1/webhooks/{uuid}",
    tag: "webhooks",
    summary: "Remove a webhook with its messages, also those that wait",
    who: "user",
    may: MAY.own,
    answer: DeletedSchema,
    problems: ["forbidden"],
    guarded: true,
    saved: WebhookSchema,
    handle: async ({ services, actor, params: { uuid }, expected }) => {
      const webhookInput = { actor, webhookId: uuid };
      if (expected !== null)
        requireVersion(expected, await services.webhooks.findWebhook(webhookInput), webhookJson);
      await services.webhooks.removeWebhook({ ...webhookInput, version: expected });
      return deletedJson(uuid);
    },
  }),

  call({
    id: "renewWebhookSecret",
    method: "POST",
    path: "/v1/webhooks/{uuid}/secret",
    tag: "webhooks",
    summary: "Give a webhook another secret",
    description: `For ${OLD_SECRET_HOURS} hours messages are signed with both.`,
    who: "user",
    may: MAY.own,
    body: z.object({ version: optionalVersion }),
    answer: NewSecretSchema,
    problems: ["forbidden"],
    repeatable: true,
    tagged: true,
    guarded: true,
    saved: WebhookSchema,
    handle: async ({ services, actor, params, body, sent }) => {
      const webhookInput = { actor, webhookId: params.uuid };
      const version = body.version ?? (await services.webhooks.findWebhook(webhookInput)).version;
      const renewed = await services.webhooks.renewWebhookSecret({ ...webhookInput, version });
      const now = webhookJson(await services.webhooks.findWebhook(webhookInput));
      if (renewed === null) throw new ConflictError(now, sent);
      return { ...now, secret: renewed.secret };
    },
  }),

  ...(["pause", "start"] as const).map((action) =>
    call({
      id: `${action}Webhook`,
      method: "POST",
      path: `/v1/webhooks/{uuid}/${action}`,
      tag: "webhooks",
      summary:
        action === "pause"
          ? "Send a webhook nothing more"
          : "Send to a webhook again, also one that was given up",
      description:
        action === "pause"
          ? "What happens meanwhile it is not told. Harmless when it is so already."
          : "Harmless when it is so already.",
      who: "user",
      may: MAY.own,
      answer: WebhookSchema,
      problems: ["forbidden"],
      tagged: true,
      handle: async ({ services, actor, params }) => {
        const webhookInput = { actor, webhookId: params.uuid };
        await services.webhooks.pauseWebhook({ ...webhookInput, paused: action === "pause" });
        return webhookJson(await services.webhooks.findWebhook(webhookInput));
      },
    }),
  ),

  call({
    id: "testWebhook",
    method: "POST",
    path: "/v1/webhooks/{uuid}/test",
    tag: "webhooks",
    summary: "Send a message that tells of nothing",
    description:
      "`webhook.test`; 404 while nothing is sent to the webhook. Ten messages a minute go out by hand.",
    who: "user",
    may: MAY.own,
    answer: SuccessSchema,
    problems: ["forbidden"],
    handle: async ({ services, actor, params }) => {
      await services.webhooks.testWebhook({ actor, webhookId: params.uuid });
      return { status: "success" } as const;
    },
  }),

  call({
    id: "listWebhookMessages",
    method: "GET",
    path: "/v1/webhooks/{uuid}/messages",
    tag: "webhooks",
    summary: "What a webhook was sent within 30 days, with every attempt, newest first",
    who: "user",
    may: MAY.own,
    query: z.object({ ...slices }),
    answer: z.array(MessageSchema),
    problems: ["forbidden"],
    list: "cursor",
    handle: async ({ c, services, actor, params, query: { cursor, limit } }) => {
      const messagesQuery = { actor, webhookId: params.uuid, cursor, pageSize: limit };
      return sliceResponse(c, (await services.webhooks.getWebhook(messagesQuery)).messages, messageJson);
    },
  }),

  call({
    id: "resendWebhookMessage",
    method: "POST",
    path: "/v1/webhooks/{uuid}/messages/{message_uuid}/resend",
    tag: "webhooks",
    summary: "Send a message once more, as it was, with the same id",
    description:
      "404 while it is being sent, or nothing is sent to the webhook. Ten messages a minute go out by hand.",
    who: "user",
    may: MAY.own,
    answer: SuccessSchema,
    problems: ["forbidden"],
    handle: async ({ services, actor, params: { uuid: webhookId, message_uuid: messageId } }) => {
      await services.webhooks.resendMessage({ actor, webhookId, messageId });
      return { status: "success" } as const;
    },
  }),
];
