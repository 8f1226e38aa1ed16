import * as z from "zod";
import {
  type FieldResult,
  field,
  formError,
  isMissing,
  uuidField,
  versionField,
} from "../shared/fields.schema";
import { WEBHOOK_URL_MAX } from "../shared/limits";
import type { Uuid } from "../shared/model";
import { readPublicUrl } from "./public-url";
import { EVENT_MESSAGE_TYPES, type EventMessageType, isEventMessageType } from "./webhooks";

/** The events of a webhook: all of its owner's, those of one space, or one. */
export type WebhookTarget =
  | { readonly kind: "all" }
  | { readonly kind: "space" | "event"; readonly id: Uuid };

/** A checked webhook form. */
export interface WebhookValue {
  readonly url: string;
  readonly types: readonly EventMessageType[];
  readonly target: WebhookTarget;
}

/** Reads the URL of a webhook. Only https is accepted, because messages are confidential, and only a public host (readPublicUrl). */
export function readEndpointUrl(
  value: unknown,
  isAllowedHost?: (host: string) => boolean,
): FieldResult<string> {
  const text = typeof value === "string" ? value.trim() : (value ?? "");
  if (text === "") return { error: "webhooks:errors.webhook.urlRequired" };
  if (typeof text !== "string") return { error: "shared-owners:errors.field.invalid" };
  if (text.length <= WEBHOOK_URL_MAX && !/^https:\/\//i.test(text))
    return { error: "webhooks:errors.webhook.https" };
  const result = readPublicUrl(text, { max: WEBHOOK_URL_MAX, ...(isAllowedHost && { isAllowedHost }) });
  if ("problem" in result) return { error: `webhooks:errors.webhook.url.${result.problem}` };
  result.url.hash = "";
  return { value: result.url.href };
}

const typesField = field<readonly EventMessageType[], string | readonly string[] | null | undefined>(
  (value) => {
    const list = isMissing(value) ? [] : [value].flat();
    if (!list.every(isEventMessageType)) return { error: "shared-owners:errors.field.invalid" };
    return list.length === 0
      ? { error: "webhooks:errors.webhook.types" }
      : { value: EVENT_MESSAGE_TYPES.filter((type) => list.includes(type)) };
  },
);

const targetField = field<WebhookTarget, string | null | undefined>((value) => {
  if (isMissing(value) || value === "all") return { value: { kind: "all" } };
  const [kind, id] = typeof value === "string" ? value.split("~") : [];
  const uuid = uuidField.safeParse(id);
  return (kind === "space" || kind === "event") && uuid.success
    ? { value: { kind, id: uuid.data } }
    : { error: "webhooks:errors.webhook.target" };
});

/** Writes a target as a form sends it: "all", "space~{uuid}" or "event~{uuid}". */
export const writeTarget = (target: WebhookTarget): string =>
  target.kind === "all" ? "all" : `${target.kind}~${target.id}`;

/** The form of a new webhook: {id, url, types, target}. The id is created with the form, so that submitting it twice creates one webhook. */
export const createWebhookSchema = (isAllowedHost?: (host: string) => boolean) =>
  z.object(
    {
      id: uuidField,
      url: field<string, string>((value) => readEndpointUrl(value, isAllowedHost)),
      types: typesField,
      target: targetField,
    },
    formError,
  );

/** The form of an existing webhook: {version, url, types, target}. */
export const createWebhookUpdateSchema = (isAllowedHost?: (host: string) => boolean) =>
  createWebhookSchema(isAllowedHost).omit({ id: true }).extend({ version: versionField });

/** The form that renews a webhook's secret, with the version that the page showed: {version}. */
export const createSecretRenewalSchema = () => z.object({ version: versionField }, formError);

/** The form that sends a message again: {message}. */
export const createResendSchema = () => z.object({ message: uuidField }, formError);
