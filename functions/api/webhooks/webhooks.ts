import * as z from "zod";
import { ConflictError, InvalidError } from "#functions/services/shared/errors";
import type { Webhook, WebhookMessage } from "#functions/services/webhooks/webhook-ports";
import { singleName, singleText } from "~/domain/events/event-texts";
import { WEBHOOK_URL_MAX } from "~/domain/shared/limits";
import { createWebhookUpdateSchema, type WebhookTarget, writeTarget } from "~/domain/webhooks/webhook.schema";
import {
  DISABLED_REASONS,
  EVENT_MESSAGE_TYPES,
  MESSAGE_STATES,
  OLD_SECRET_HOURS,
  OUTCOMES,
  RESPONSE_MAX,
  TEST_MESSAGE,
  WEBHOOK_STATUSES,
  webhookStatus,
} from "~/domain/webhooks/webhooks";
import { call, type JsonOf } from "../core/call";
import {
  cursorParams,
  optionalId,
  optionalVersion,
  removableId,
  uncheckedField,
  uncheckedOptionalField,
} from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { deletedJson } from "../core/record-json";
import { type ApiCall, type JsonBody, sliceResponse, validate, withBodyFieldNames } from "../core/request";
import { count, DeletedSchema, id, instant, SuccessSchema } from "../core/schemas";
import { requireVersion } from "../core/versions";

const WebhookSchema = z
  .object({
    uuid: id,
    url: z.string(),
    types: z.array(z.enum(EVENT_MESSAGE_TYPES)),
    space_uuid: id.nullable().meta({ description: "Only events of this space." }),
    event_uuid: id.nullable().meta({ description: "Only this event." }),
    target_name: z.string().nullable().meta({ description: "The name of that space or event." }),
    status: z.enum(WEBHOOK_STATUSES),
    disabled_why: z.enum(DISABLED_REASONS).nullable().meta({
      description:
        "Reason why nothing is sent: paused by the owner, failing for days, or 410 from the endpoint.",
    }),
    disabled_at: instant.nullable(),
    failing_since: instant.nullable().meta({ description: "Start of the current series of failures." }),
    previous_secret_until: instant
      .nullable()
      .meta({ description: "Until then messages are also signed with the previous secret." }),
    created_at: instant,
    version: count,
  })
  .meta({ id: "Webhook" });

const NewSecretSchema = z
  .object({
    ...WebhookSchema.shape,
    secret: z
      .string()
      .meta({ description: "The key with which messages are signed. Only this response contains it." }),
  })
  .meta({ id: "WebhookWithSecret" });

const MessageSchema = z
  .object({
    uuid: id.meta({ description: "The message's `webhook-id` is `msg_` followed by this id." }),
    type: z.enum([...EVENT_MESSAGE_TYPES, TEST_MESSAGE]),
    timestamp: instant.meta({ description: "Time of the event." }),
    state: z.enum(MESSAGE_STATES),
    event_name: z.string().nullable().meta({
      description: "The current name; null for a test, and for an event that was deleted permanently.",
    }),
    next_at: instant.nullable().meta({ description: "Time of the next attempt; null if there is none." }),
    attempts: z
      .array(
        z.object({
          at: instant,
          outcome: z.enum(OUTCOMES).meta({
            description:
              "`answer`: the endpoint responded with an error. `redirect`: redirects are not followed. `address`, `secret`: nothing was sent, because the address is not allowed or the secret can no longer be read.",
          }),
          status: z.int().nullable().meta({ description: "Status of the endpoint's response." }),
          ms: z.number().meta({ description: "Milliseconds until the response or the failure." }),
          answer: z.string().meta({ description: `The first ${RESPONSE_MAX} characters of the response.` }),
        }),
      )
      .meta({ description: "The latest attempts, oldest first." }),
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
  items: { type: "string", enum: EVENT_MESSAGE_TYPES },
  description: "Types of the messages that it receives.",
};
const SPACE_DESCRIPTION = "Limits the webhook to events of this space, which the caller must own.";
const EVENT_DESCRIPTION =
  "Limits the webhook to this event, in a space that the caller owns. Excludes `space_uuid`.";

/** The field of the body that contained an invalid target. */
const targetField = (body: { readonly event_uuid?: unknown }) =>
  body.event_uuid == null ? "space_uuid" : "event_uuid";

/** Reads the target of a webhook from a body. Missing fields keep the saved target. @throws InvalidError if both fields are given */
function readTarget(
  body: { readonly space_uuid?: string | null; readonly event_uuid?: string | null },
  saved: WebhookTarget,
): WebhookTarget {
  if (body.space_uuid && body.event_uuid)
    throw new InvalidError({ event_uuid: [{ key: "webhooks:errors.webhook.target" }] });
  if (body.event_uuid) return { kind: "event", id: body.event_uuid };
  if (body.space_uuid) return { kind: "space", id: body.space_uuid };
  if (saved.kind === "all") return saved;
  // An explicit null removes the saved limit.
  return body[`${saved.kind}_uuid`] === null ? { kind: "all" } : saved;
}

/** Validates a body with the schema of the webhook form. */
async function checkValues(c: ApiCall, sent: JsonBody, target: WebhookTarget) {
  const { version: _version, ...fields } = createWebhookUpdateSchema(c.env.config.isAllowedLocalHost).shape;
  return validate(z.object(fields), { url: sent.url, types: sent.types, target: writeTarget(target) });
}

/** Webhooks and the log of their messages: /v1/webhooks. */
export const webhookCalls = [
  call({
    id: "listWebhooks",
    method: "GET",
    path: "/v1/webhooks",
    tag: "webhooks",
    summary: "List the caller's webhooks, newest first",
    description: "An account has at most ten.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: z.array(WebhookSchema),
    wholeListKey: "uuid",
    problems: ["forbidden"],
    handle: async ({ services, actor }) => (await services.webhooks.listWebhooks({ actor })).map(webhookJson),
  }),

  call({
    id: "createWebhook",
    method: "POST",
    path: "/v1/webhooks",
    tag: "webhooks",
    summary: "Create a webhook",
    description:
      "For all of the caller's own events, for the events of one space, or for one event. Messages are signed according to Standard Webhooks, with the `secret` of this response.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({
      url: uncheckedField(url),
      types: uncheckedField(types),
      space_uuid: optionalId(SPACE_DESCRIPTION),
      event_uuid: optionalId(EVENT_DESCRIPTION),
    }),
    response: NewSecretSchema,
    problems: ["forbidden", "too_many_webhooks"],
    acceptsIdempotencyKey: true,
    hasEtag: true,
    handle: async ({ c, services, actor, body, rawBody }) => {
      const values = await checkValues(c, rawBody, readTarget(body, { kind: "all" }));
      const webhookId = crypto.randomUUID();
      const { secret } = await withBodyFieldNames(
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
    summary: "Get a webhook",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: WebhookSchema,
    problems: ["forbidden"],
    hasEtag: true,
    handle: async ({ services, actor, params }) =>
      webhookJson(await services.webhooks.findWebhook({ actor, webhookId: params.uuid })),
  }),

  call({
    id: "updateWebhook",
    method: "PUT",
    path: "/v1/webhooks/{uuid}",
    tag: "webhooks",
    summary: "Change a webhook",
    description: "Changes only the given fields. An empty `space_uuid` or `event_uuid` removes that limit.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({
      url: uncheckedOptionalField(url),
      types: uncheckedOptionalField(types),
      space_uuid: removableId(SPACE_DESCRIPTION),
      event_uuid: removableId(EVENT_DESCRIPTION),
      version: optionalVersion,
    }),
    response: WebhookSchema,
    problems: ["forbidden"],
    hasEtag: true,
    acceptsIfMatch: true,
    handle: async ({ c, services, actor, params, body, rawBody }) => {
      const webhookInput = { actor, webhookId: params.uuid };
      const saved = await services.webhooks.findWebhook(webhookInput);
      const { url = saved.url, types = saved.types } = rawBody;
      const values = await checkValues(c, { url, types }, readTarget(body, saved.target));
      const version = body.version ?? saved.version;
      const result = await withBodyFieldNames(
        services.webhooks.updateWebhook({ ...webhookInput, version, values }),
        () => ({
          target: targetField(body),
        }),
      );
      const current = webhookJson(await services.webhooks.findWebhook(webhookInput));
      if (result === "conflict") throw new ConflictError(current, rawBody);
      return current;
    },
  }),

  call({
    id: "deleteWebhook",
    method: "DELETE",
    path: "/v1/webhooks/{uuid}",
    tag: "webhooks",
    summary: "Delete a webhook with its messages, including those not sent yet",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: DeletedSchema,
    problems: ["forbidden"],
    acceptsIfMatch: true,
    savedSchema: WebhookSchema,
    handle: async ({ services, actor, params: { uuid }, expectedVersion }) => {
      const webhookInput = { actor, webhookId: uuid };
      if (expectedVersion !== null)
        requireVersion(expectedVersion, await services.webhooks.findWebhook(webhookInput), webhookJson);
      await services.webhooks.removeWebhook({ ...webhookInput, version: expectedVersion });
      return deletedJson(uuid);
    },
  }),

  call({
    id: "renewWebhookSecret",
    method: "POST",
    path: "/v1/webhooks/{uuid}/secret",
    tag: "webhooks",
    summary: "Renew the secret of a webhook",
    description: `For ${OLD_SECRET_HOURS} hours messages are signed with both secrets.`,
    who: "user",
    may: PERMISSION_TEXTS.own,
    body: z.object({ version: optionalVersion }),
    response: NewSecretSchema,
    problems: ["forbidden"],
    acceptsIdempotencyKey: true,
    hasEtag: true,
    acceptsIfMatch: true,
    savedSchema: WebhookSchema,
    handle: async ({ services, actor, params, body, rawBody }) => {
      const webhookInput = { actor, webhookId: params.uuid };
      const version = body.version ?? (await services.webhooks.findWebhook(webhookInput)).version;
      const renewed = await services.webhooks.renewWebhookSecret({ ...webhookInput, version });
      const current = webhookJson(await services.webhooks.findWebhook(webhookInput));
      if (renewed === null) throw new ConflictError(current, rawBody);
      return { ...current, secret: renewed.secret };
    },
  }),

  ...(["pause", "start"] as const).map((action) =>
    call({
      id: `${action}Webhook`,
      method: "POST",
      path: `/v1/webhooks/{uuid}/${action}`,
      tag: "webhooks",
      summary:
        action === "pause" ? "Pause a webhook" : "Resume a webhook, also one that was stopped after failures",
      description:
        action === "pause"
          ? "Events during the pause are not sent. Does nothing if it is already paused."
          : "Does nothing if it is already active.",
      who: "user",
      may: PERMISSION_TEXTS.own,
      response: WebhookSchema,
      problems: ["forbidden"],
      hasEtag: true,
      handle: async ({ services, actor, params }) => {
        const webhookInput = { actor, webhookId: params.uuid };
        await services.webhooks.setWebhookPaused({ ...webhookInput, isPaused: action === "pause" });
        return webhookJson(await services.webhooks.findWebhook(webhookInput));
      },
    }),
  ),

  call({
    id: "testWebhook",
    method: "POST",
    path: "/v1/webhooks/{uuid}/test",
    tag: "webhooks",
    summary: "Send a test message",
    description:
      "Type `webhook.test`. 404 while the webhook is paused or stopped. At most ten messages a minute are sent by such calls.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: SuccessSchema,
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
    summary: "List the webhook's messages of the last 30 days, with their attempts, newest first",
    who: "user",
    may: PERMISSION_TEXTS.own,
    query: z.object({ ...cursorParams }),
    response: z.array(MessageSchema),
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
    summary: "Resend a message unchanged, with the same id",
    description:
      "404 while it is being sent, or while the webhook is paused or stopped. At most ten messages a minute are sent by such calls.",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: SuccessSchema,
    problems: ["forbidden"],
    handle: async ({ services, actor, params: { uuid: webhookId, message_uuid: messageId } }) => {
      await services.webhooks.resendMessage({ actor, webhookId, messageId });
      return { status: "success" } as const;
    },
  }),
];
