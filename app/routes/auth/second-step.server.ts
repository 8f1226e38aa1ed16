import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { createSecondStepSchema } from "~/domain/auth/login.schema";
import { safeNext } from "~/domain/auth/redirect";
import { startPage } from "~/domain/auth/session";
import { packMessage } from "~/forms/shared/user-message";

const SECRET_FIELDS = ["pending", "oneTimeCode"] as const;

/** Handles the second step of a log-in: logs the user in, or returns the form for the code, or the password form if the first step has expired. */
export async function submitSecondStep(
  form: FormData,
  { request, context }: Pick<ActionFunctionArgs, "request" | "context">,
) {
  const submission = parseWithZod(form, { schema: createSecondStepSchema() });
  const secondStep = {
    pending: String(form.get("pending") ?? ""),
    next: safeNext(String(form.get("next") ?? ""), "") || null,
  };
  if (submission.status !== "success")
    return data({ ...submission.reply({ hideFields: [...SECRET_FIELDS] }), secondStep }, { status: 400 });
  const { pending, oneTimeCode, next } = submission.value;
  const result = await context.attempt(
    context.services.secondFactor.logInWithCode({
      pending,
      oneTimeCode,
      network: context.client.network,
      userAgent: request.headers.get("user-agent") ?? "",
      ticket: context.session.ticket(),
      browser: context.session.knownBrowser(),
    }),
  );
  if (result.ok) {
    context.session.start(result.value);
    throw redirect(next ?? startPage(result.value.user.role));
  }
  const { code, userMessage, status } = result.failure;
  const errors =
    code === "bad_one_time_code"
      ? { fieldErrors: { oneTimeCode: [packMessage(userMessage)] } }
      : { formErrors: [packMessage(userMessage)] };
  const reply = submission.reply({ ...errors, hideFields: [...SECRET_FIELDS] });
  return data(code === "second_step_expired" ? reply : { ...reply, secondStep }, {
    status: status === 429 ? 429 : 400,
  });
}
