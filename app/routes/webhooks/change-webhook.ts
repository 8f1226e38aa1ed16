import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import type { ServiceResult } from "#functions/http/http-errors";
import {
  createResendSchema,
  createSecretRenewalSchema,
  createWebhookUpdateSchema,
} from "~/domain/webhooks/webhook.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { packMessage, type UserMessage } from "~/forms/shared/user-message";
import { uuidParam } from "../shared/uuid-param";
import { WEBHOOKS_PATH, webhookPath } from "./paths";

/** Result of a form on a webhook's page: a secret that is displayed only once, or the errors of the form. */
interface WebhookActionResult {
  /** `until`: end of the time in which the previous secret is still used as well. */
  readonly secret: { readonly text: string; readonly until: string } | null;
  readonly lastResult: SubmissionResult<string[]> | null;
  /** Packed message (its key and values in one string). */
  readonly rejection: string | null;
}

const respond = (value: Partial<WebhookActionResult>, status: number) =>
  data<WebhookActionResult>({ secret: null, lastResult: null, rejection: null, ...value }, { status });
const reject = (message: UserMessage, status: number) => respond({ rejection: packMessage(message) }, status);

/** Redirects with a toast after success; a missing webhook is a 404. */
function redirectOnSuccess(result: ServiceResult<unknown>, to: string, toast: string) {
  if (result.ok) throw redirect(`${to}?toast=${toast}`);
  const { failure } = result;
  if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
  return reject(failure.userMessage, failure.status);
}

/** Handles the forms of a webhook's page by their intent. */
export async function changeWebhook({ context, params }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const { attempt } = context;
  const { webhooks } = context.services;
  const webhookId = uuidParam(params.webhookUuid);
  const webhookInput = { actor, webhookId };
  const pageHref = webhookPath(webhookId);
  const form = await context.form.read();
  const intent = String(form.get("intent") ?? "");
  form.delete("intent");
  switch (intent) {
    case "update": {
      const isAllowedHost = (host: string) => context.site.storeHosts.includes(host);
      const submission = parseWithZod(form, { schema: createWebhookUpdateSchema(isAllowedHost) });
      if (submission.status !== "success") return respond({ lastResult: submission.reply() }, 400);
      const { version, ...values } = submission.value;
      const result = await attempt(webhooks.updateWebhook({ ...webhookInput, version, values }));
      if (!result.ok && result.failure.status !== 404)
        return respond(
          { lastResult: rejectForm(submission as never, result.failure) },
          result.failure.status,
        );
      if (result.ok && result.value === "conflict") {
        const formErrors = [packMessage({ key: "webhooks:conflict" })];
        return respond({ lastResult: submission.reply({ formErrors }) }, 409);
      }
      return redirectOnSuccess(result, pageHref, "webhook-saved");
    }
    case "pause":
      return redirectOnSuccess(
        await attempt(webhooks.setWebhookPaused({ ...webhookInput, isPaused: true })),
        pageHref,
        "webhook-paused",
      );
    case "start":
      return redirectOnSuccess(
        await attempt(webhooks.setWebhookPaused({ ...webhookInput, isPaused: false })),
        pageHref,
        "webhook-started",
      );
    case "renew": {
      const submission = parseWithZod(form, { schema: createSecretRenewalSchema() });
      if (submission.status !== "success") return reject({ key: "shared-owners:errors.form.version" }, 400);
      const { version } = submission.value;
      const result = await attempt(webhooks.renewWebhookSecret({ ...webhookInput, version }));
      if (!result.ok) return redirectOnSuccess(result, pageHref, "");
      // A reload of the response to the form also leads here.
      if (result.value === null) return reject({ key: "webhooks:secretKept" }, 409);
      const { secret, previousUntil } = result.value;
      return respond({ secret: { text: secret, until: previousUntil } }, 200);
    }
    case "remove":
      return redirectOnSuccess(
        await attempt(webhooks.removeWebhook(webhookInput)),
        WEBHOOKS_PATH,
        "webhook-removed",
      );
    case "test":
      return redirectOnSuccess(await attempt(webhooks.testWebhook(webhookInput)), pageHref, "webhook-tested");
    case "resend": {
      const submission = parseWithZod(form, { schema: createResendSchema() });
      const messageId = submission.status === "success" ? submission.value.message : "";
      const result = await attempt(webhooks.resendMessage({ ...webhookInput, messageId }));
      if (!result.ok && result.failure.status === 404) return reject({ key: "webhooks:notResent" }, 409);
      return redirectOnSuccess(result, pageHref, "message-resent");
    }
    default:
      return reject({ key: "shared-owners:errors.form.invalid" }, 400);
  }
}
