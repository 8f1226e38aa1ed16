import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import type { ServiceResult } from "#functions/http/http-errors";
import {
  createResendSchema,
  createSecretRenewalSchema,
  createWebhookUpdateSchema,
} from "~/domain/webhooks/webhook.schema";
import { rejectForm } from "~/forms/shared/result";
import { packMessage, type UserMessage } from "~/forms/shared/user-message";
import { uuidParam } from "../shared/ids";
import { WEBHOOKS_PATH, webhookPath } from "./paths";

/** Result of a form on a webhook's page: a secret that is displayed only once, or the errors of the form. */
interface Answer {
  readonly secret: { readonly text: string; readonly until: string } | null;
  readonly lastResult: SubmissionResult<string[]> | null;
  readonly refusal: string | null;
}

const answer = (value: Partial<Answer>, status: number) =>
  data<Answer>({ secret: null, lastResult: null, refusal: null, ...value }, { status });
const refused = (words: UserMessage, status: number) => answer({ refusal: packMessage(words) }, status);

/** Redirects with a toast after success; a missing webhook is a 404. */
function settle(result: ServiceResult<unknown>, to: string, toast: string) {
  if (result.ok) throw redirect(`${to}?toast=${toast}`);
  const { failure } = result;
  if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
  return refused(failure.userMessage, failure.status);
}

/** Handles the forms of a webhook's page by their intent. */
export async function changeWebhook({ context, params }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const { attempt } = context;
  const { webhooks } = context.services;
  const webhookId = uuidParam(params.webhookUuid);
  const own = { actor, webhookId };
  const here = webhookPath(webhookId);
  const form = await context.form.read();
  const intent = String(form.get("intent") ?? "");
  form.delete("intent");
  switch (intent) {
    case "update": {
      const isAllowedHost = (host: string) => context.site.storeHosts.includes(host);
      const submission = parseWithZod(form, { schema: createWebhookUpdateSchema(isAllowedHost) });
      if (submission.status !== "success") return answer({ lastResult: submission.reply() }, 400);
      const { version, ...values } = submission.value;
      const result = await attempt(webhooks.updateWebhook({ ...own, version, values }));
      if (!result.ok && result.failure.status !== 404)
        return answer({ lastResult: rejectForm(submission as never, result.failure) }, result.failure.status);
      if (result.ok && result.value === "conflict") {
        const formErrors = [packMessage({ key: "webhooks:conflict" })];
        return answer({ lastResult: submission.reply({ formErrors }) }, 409);
      }
      return settle(result, here, "webhook-saved");
    }
    case "pause":
      return settle(await attempt(webhooks.pauseWebhook({ ...own, paused: true })), here, "webhook-paused");
    case "start":
      return settle(await attempt(webhooks.pauseWebhook({ ...own, paused: false })), here, "webhook-started");
    case "renew": {
      const submission = parseWithZod(form, { schema: createSecretRenewalSchema() });
      if (submission.status !== "success") return refused({ key: "shared-owners:errors.form.version" }, 400);
      const { version } = submission.value;
      const result = await attempt(webhooks.renewWebhookSecret({ ...own, version }));
      if (!result.ok) return settle(result, here, "");
      // This is also the result when the response to the form is reloaded.
      if (result.value === null) return refused({ key: "webhooks:secretKept" }, 409);
      const { secret, previousUntil } = result.value;
      return answer({ secret: { text: secret, until: previousUntil } }, 200);
    }
    case "remove":
      return settle(await attempt(webhooks.removeWebhook(own)), WEBHOOKS_PATH, "webhook-removed");
    case "test":
      return settle(await attempt(webhooks.testWebhook(own)), here, "webhook-tested");
    case "resend": {
      const submission = parseWithZod(form, { schema: createResendSchema() });
      const messageId = submission.status === "success" ? submission.value.message : "";
      const result = await attempt(webhooks.resendMessage({ ...own, messageId }));
      if (!result.ok && result.failure.status === 404) return refused({ key: "webhooks:notResent" }, 409);
      return settle(result, here, "message-resent");
    }
    default:
      return refused({ key: "shared-owners:errors.form.invalid" }, 400);
  }
}
