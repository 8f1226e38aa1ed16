import type { Actor } from "~/domain/auth/actor";
import { type Cursor, FIRST_PAGE } from "~/domain/shared/cursor";
import { PAGE_SIZE, WEBHOOKS_MAX } from "~/domain/shared/limits";
import type { Instant, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { readEndpointUrl, type WebhookValue } from "~/domain/webhooks/webhook.schema";
import { OLD_SECRET_HOURS, TEST_MESSAGE } from "~/domain/webhooks/webhooks";
import type { RateLimiter } from "../auth/auth-ports";
import { countUse } from "../auth/limit-attempts";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Slice } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import { type DeliveryDeps, deliver } from "./webhook-delivery";
import type { Webhook, WebhookMessage } from "./webhook-ports";
import { newSecret, sealSecret } from "./webhook-secrets";

/** Dependencies of the use cases of webhooks. */
export interface WebhookDeps extends DeliveryDeps {
  readonly limiter: RateLimiter;
  /** Keeps the worker running until the work is finished, after the response (waitUntil). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** A webhook with one page of its messages. */
export interface WebhookDetail {
  readonly webhook: Webhook;
  readonly messages: Slice<WebhookMessage>;
}

type OwnWebhook = { readonly actor: Actor; readonly webhookId: Uuid };

/** Requires the permission for the actor's own account, to which webhooks belong. @throws ForbiddenError for a token without the scope `account` */
function requireAccount(actor: Actor, action: "read" | "update"): void {
  if (!can(actor, action, { type: "user", id: actor.userId })) throw new ForbiddenError(`${action} webhooks`);
}

const hostOf = (url: string) => new URL(url).host;

/** Validates the URL like the form does, because API calls reach this without the form. @throws InvalidError */
function requireValidUrl(deps: Pick<WebhookDeps, "isAllowedLocalHost">, url: string): void {
  const urlResult = readEndpointUrl(url, deps.isAllowedLocalHost);
  if ("error" in urlResult) throw new InvalidError({ url: [{ key: urlResult.error }] });
}

const NO_TARGET = { target: [{ key: "webhooks:errors.webhook.target" }] } as const;

/** Lists the actor's webhooks, newest first. */
export async function listWebhooks(
  deps: Pick<WebhookDeps, "webhooks">,
  input: { readonly actor: Actor },
): Promise<readonly Webhook[]> {
  requireAccount(input.actor, "read");
  return deps.webhooks.list(input.actor.userId);
}

/** Returns one of the actor's webhooks with one page of its messages, newest first, 20 by default. @throws NotFoundError */
export async function getWebhook(
  deps: Pick<WebhookDeps, "webhooks">,
  input: OwnWebhook & { readonly cursor?: Cursor; readonly pageSize?: number },
): Promise<WebhookDetail> {
  const { actor, webhookId, cursor = FIRST_PAGE, pageSize = PAGE_SIZE } = input;
  requireAccount(actor, "read");
  const [webhook, messages] = await Promise.all([
    deps.webhooks.find(actor.userId, webhookId),
    deps.webhooks.listMessages(webhookId, cursor, pageSize),
  ]);
  if (!webhook) throw new NotFoundError("webhook");
  return { webhook, messages };
}

/** Returns one of the actor's webhooks. @throws NotFoundError */
export async function findWebhook(deps: Pick<WebhookDeps, "webhooks">, input: OwnWebhook): Promise<Webhook> {
  requireAccount(input.actor, "read");
  const webhook = await deps.webhooks.find(input.actor.userId, input.webhookId);
  if (!webhook) throw new NotFoundError("webhook");
  return webhook;
}

/**
 * Registers a webhook. Its secret is shown only in this result.
 * @throws InvalidError too_many_webhooks; made_before when the same form was submitted before; an invalid URL; a space or event that is not the
 *   actor's own
 */
export async function createWebhook(
  deps: WebhookDeps,
  input: {
    readonly actor: Actor;
    /** Id of the form: submitting the same form again creates no second webhook. */
    readonly id: Uuid;
    readonly values: WebhookValue;
  },
): Promise<{ readonly secret: string }> {
  const { actor, id, values } = input;
  requireAccount(actor, "update");
  requireValidUrl(deps, values.url);
  const secret = newSecret(deps.ids);
  const createdAt = toInstant(deps.clock.now());
  const outcome = await deps.webhooks.add(
    { ...values, id, userId: actor.userId, secret: sealSecret(deps.textSealer, id, secret), createdAt },
    WEBHOOKS_MAX,
    auditEntry(deps, actor, "webhook_created", "user", actor.userId, {
      webhook: id,
      host: hostOf(values.url),
    }),
  );
  if (outcome === "exists") throw new InvalidError({}, "made_before");
  if (outcome === "no_target") throw new InvalidError(NO_TARGET);
  if (outcome === "too_many")
    throw new InvalidError({ "": [{ key: "webhooks:errors.webhook.tooMany" }] }, "too_many_webhooks");
  return { secret };
}

/** Result of saving a webhook's form. "conflict": nothing was written, because the webhook has another version than the form. */
export type UpdateWebhookResult = "updated" | "conflict";

/**
 * Changes the URL, the message types and the target of a webhook.
 * @throws InvalidError for the URL; a space or event that is not the actor's own
 * @throws NotFoundError
 */
export async function updateWebhook(
  deps: WebhookDeps,
  input: OwnWebhook & { readonly version: number; readonly values: WebhookValue },
): Promise<UpdateWebhookResult> {
  const { actor, webhookId, version, values } = input;
  requireAccount(actor, "update");
  requireValidUrl(deps, values.url);
  const { userId } = actor;
  const outcome = await deps.webhooks.update(
    { ...values, id: webhookId, userId },
    version,
    toInstant(deps.clock.now()),
    auditEntry(deps, actor, "webhook_updated", "user", userId, {
      webhook: webhookId,
      host: hostOf(values.url),
    }),
  );
  if (outcome === "updated") return outcome;
  if (outcome === "no_target") throw new InvalidError(NO_TARGET);
  if (!(await deps.webhooks.find(userId, webhookId))) throw new NotFoundError("webhook");
  return "conflict";
}

/**
 * Pauses a webhook, or starts a disabled one again, whatever disabled it. Events while it is disabled are not sent later. Has no effect if the webhook
 * is already in the requested state.
 * @throws NotFoundError
 */
export async function setWebhookPaused(
  deps: WebhookDeps,
  input: OwnWebhook & { readonly isPaused: boolean },
): Promise<void> {
  const { actor, webhookId, isPaused } = input;
  requireAccount(actor, "update");
  const { userId } = actor;
  const action = isPaused ? "webhook_paused" : "webhook_started";
  const entry = auditEntry(deps, actor, action, "user", userId, { webhook: webhookId });
  const now = toInstant(deps.clock.now());
  if (await deps.webhooks.setPaused(userId, webhookId, isPaused, now, entry)) return;
  if (!(await deps.webhooks.find(userId, webhookId))) throw new NotFoundError("webhook");
}

/**
 * Gives a webhook a new secret, which is shown only in this result. For OLD_SECRET_HOURS, messages are also signed with the previous secret.
 * @returns null when the webhook has another version; nothing is changed then
 * @throws NotFoundError
 */
export async function renewWebhookSecret(
  deps: WebhookDeps,
  input: OwnWebhook & { readonly version: number },
): Promise<{ readonly secret: string; readonly previousUntil: Instant } | null> {
  const { actor, webhookId, version } = input;
  requireAccount(actor, "update");
  const { userId } = actor;
  const secret = newSecret(deps.ids);
  const now = deps.clock.now();
  const previousUntil = toInstant(now + OLD_SECRET_HOURS * 3_600_000);
  const entry = auditEntry(deps, actor, "webhook_secret_renewed", "user", userId, { webhook: webhookId });
  const sealedSecret = sealSecret(deps.textSealer, webhookId, secret);
  if (
    await deps.webhooks.renewSecret(
      userId,
      webhookId,
      version,
      sealedSecret,
      { now: toInstant(now), until: previousUntil },
      entry,
    )
  )
    return { secret, previousUntil };
  if (!(await deps.webhooks.find(userId, webhookId))) throw new NotFoundError("webhook");
  return null;
}

/**
 * Deletes a webhook with its messages, including those not sent yet.
 * @param input.version expected version; any if absent
 * @throws NotFoundError when it does not exist, or has another version
 */
export async function removeWebhook(
  deps: WebhookDeps,
  input: OwnWebhook & { readonly version?: number | null },
): Promise<void> {
  const { actor, webhookId, version = null } = input;
  requireAccount(actor, "update");
  const entry = auditEntry(deps, actor, "webhook_removed", "user", actor.userId, { webhook: webhookId });
  if (!(await deps.webhooks.remove(actor.userId, webhookId, version, entry)))
    throw new NotFoundError("webhook");
}

/**
 * Sends a test message.
 * @throws NotFoundError when the webhook does not exist, or is disabled
 * @throws RateLimitedError after ten within a minute
 */
export async function testWebhook(deps: WebhookDeps, input: OwnWebhook): Promise<void> {
  const { actor, webhookId } = input;
  requireAccount(actor, "update");
  const { userId } = actor;
  await countUse(deps.limiter, [`webhooks:${userId}`], "messages by hand");
  const message = { id: deps.ids.uuid(), type: TEST_MESSAGE, at: toInstant(deps.clock.now()) } as const;
  if (!(await deps.webhooks.addMessage(userId, webhookId, message))) throw new NotFoundError("webhook");
  deps.defer(deliver(deps, { owner: { userId } }));
}

/**
 * Sends a message again immediately, with the same id and content.
 * @throws NotFoundError when the message does not exist or is being sent, or the webhook is disabled
 * @throws RateLimitedError after ten within a minute
 */
export async function resendMessage(
  deps: WebhookDeps,
  input: OwnWebhook & { readonly messageId: Uuid },
): Promise<void> {
  const { actor, webhookId, messageId } = input;
  requireAccount(actor, "update");
  const { userId } = actor;
  await countUse(deps.limiter, [`webhooks:${userId}`], "messages by hand");
  const now = toInstant(deps.clock.now());
  if (!(await deps.webhooks.sendAgain(userId, webhookId, messageId, now))) throw new NotFoundError("message");
  deps.defer(deliver(deps, { owner: { userId } }));
}

/** `context.services.webhooks`. */
export const webhookServices = (deps: WebhookDeps) =>
  bindUseCases(deps, {
    listWebhooks,
    getWebhook,
    findWebhook,
    createWebhook,
    updateWebhook,
    setWebhookPaused,
    renewWebhookSecret,
    removeWebhook,
    testWebhook,
    resendMessage,
  });
