import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import {
  bulkChange,
  changedUserFields,
  createBulkSchema,
  createUserSchema,
} from "~/domain/users/user.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { packMessage, type UserMessage } from "~/forms/shared/user-message";
import {
  type Reauthentication,
  type ReauthenticationResult,
  readReauthentication,
} from "../../auth/reauthentication.server";
import { uuidParam } from "../../shared/uuid-param";
import { requireAdministratorSession } from "../administrator.server";
import { actionFormId } from "./action-form";
import { RESET_FACTOR_FORM } from "./reset-factor";
import { toUserInput } from "./user-input";

/** Toasts by the kind of change. `keep` declines the deletion that the account's owner requested. */
const TOASTS: Readonly<Record<string, string>> = {
  invite: "user-invited",
  delete: "user-removed",
  restore: "user-restored",
  keep: "user-kept",
};

/** Empty result of a form on a user's page. A rejected form sets the fields that the page must show. */
const EMPTY_RESULT = {
  conflict: null,
  lastResult: null,
  rejection: null,
  prompt: null,
  version: null,
} as const;

/** Handles the forms of a user's page: its fields, and the buttons around them. */
export async function userAction({ request, params, context }: ActionFunctionArgs) {
  const session = await requireAdministratorSession(context);
  const userId = uuidParam(params.userUuid);
  const form = await context.form.read();
  const reauthentication = await readReauthentication(form, context, session);
  if (form.get("intent") === "reset-factor") return resetFactor({ reauthentication, context, userId });
  const { actor } = reauthentication;
  if (form.has("change")) return changeAccount(form, { reauthentication, context, userId });

  const submission = parseWithZod(form, { schema: createUserSchema() });
  if (submission.status !== "success" || reauthentication.prompt) {
    const prompt = reauthentication.prompt && { form: "user", reauthentication: reauthentication.prompt };
    const version = submission.status === "success" ? submission.value.version : null;
    return data({ ...EMPTY_RESULT, prompt, version, lastResult: submission.reply() }, { status: 400 });
  }
  const { value } = submission;
  const { users } = context.services;
  const promptFor = async (failure: { readonly code: string }) => {
    const prompt = await reauthentication.promptFor(failure);
    return prompt && { form: "user", reauthentication: prompt };
  };
  if (form.has("restore")) {
    const attempt = await context.attempt(
      users.changeUsers({ actor, userIds: [userId], change: { kind: "restore" } }),
    );
    if (!attempt.ok) {
      const { failure } = attempt;
      const prompt = await promptFor(failure);
      const lastResult = prompt ? submission.reply() : rejectForm(submission, failure);
      return data(
        { ...EMPTY_RESULT, prompt, version: prompt && value.version, lastResult },
        { status: failure.status },
      );
    }
    const [restoreResult] = attempt.value;
    // A restore increases the version, so the save expects the next one. If another administrator has restored the account, the save is a conflict.
    if (restoreResult && restoreResult.rejection === null) value.version += 1;
    else if (restoreResult?.user?.deletedAt && restoreResult.rejection)
      return data(
        {
          ...EMPTY_RESULT,
          rejection: packMessage(context.translateMessage(restoreResult.rejection)),
          lastResult: submission.reply(),
        },
        { status: 400 },
      );
  }
  const result = await context.attempt(users.updateUser({ actor, userId, values: value }));
  if (!result.ok) {
    if (result.failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    const prompt = await promptFor(result.failure);
    const lastResult = prompt ? submission.reply() : rejectForm(submission, result.failure);
    // The form keeps the version that it was filled from, so that submitting it again does not overwrite a newer version.
    const version = prompt && value.version;
    return data({ ...EMPTY_RESULT, prompt, version, lastResult }, { status: result.failure.status });
  }
  if ("saved" in result.value) {
    const { saved } = result.value;
    const savedValues = toUserInput(saved);
    const localValues = toUserInput({ ...saved, ...value });
    const rows = changedUserFields(saved, value).map((field) => ({
      field,
      saved: savedValues[field],
      yours: localValues[field],
    }));
    return data(
      { ...EMPTY_RESULT, conflict: { version: saved.version, rows }, lastResult: submission.reply() },
      { status: 409 },
    );
  }
  throw redirect(`${new URL(request.url).pathname}?toast=user-saved`);
}

/** Applies the change of one of the page's buttons. Each button is a form of its own, whose id contains its change (`actionFormId`). */
async function changeAccount(
  form: FormData,
  {
    reauthentication,
    context,
    userId,
  }: Pick<ActionFunctionArgs, "context"> & {
    readonly reauthentication: ReauthenticationResult;
    readonly userId: string;
  },
) {
  form.set("id", userId);
  const submission = parseWithZod(form, { schema: createBulkSchema() });
  if (submission.status !== "success") throw new Response(null, { status: 400, statusText: "Bad Request" });
  const change = bulkChange(submission.value);
  const createPromptResponse = (prompt: Reauthentication, status: number) =>
    data(
      { ...EMPTY_RESULT, prompt: { form: actionFormId(change.kind), reauthentication: prompt } },
      { status },
    );
  if (reauthentication.prompt) return createPromptResponse(reauthentication.prompt, 400);
  const attempt = await context.attempt(
    context.services.users.changeUsers({ actor: reauthentication.actor, userIds: [userId], change }),
  );
  if (!attempt.ok) {
    const prompt = await reauthentication.promptFor(attempt.failure);
    if (prompt) return createPromptResponse(prompt, attempt.failure.status);
    const { status, userMessage } = attempt.failure;
    return data({ ...EMPTY_RESULT, rejection: packMessage(userMessage) }, { status });
  }
  const [result] = attempt.value;
  if (!result?.user) throw new Response(null, { status: 404, statusText: "Not Found" });
  const rejection: UserMessage | null = result.rejection;
  if (rejection)
    return data(
      { ...EMPTY_RESULT, rejection: packMessage(context.translateMessage(rejection)) },
      { status: 400 },
    );
  const toast = TOASTS[change.kind] ?? "user-saved";
  throw redirect(
    change.kind === "delete" ? `/user-list?toast=${toast}` : `/user-list/${userId}?toast=${toast}`,
  );
}

/** Resets the second factor of the page's user. */
async function resetFactor({
  reauthentication,
  context,
  userId,
}: Pick<ActionFunctionArgs, "context"> & {
  readonly reauthentication: ReauthenticationResult;
  readonly userId: string;
}) {
  const createPromptResponse = (prompt: Reauthentication, status: number) =>
    data({ ...EMPTY_RESULT, prompt: { form: RESET_FACTOR_FORM, reauthentication: prompt } }, { status });
  if (reauthentication.prompt) return createPromptResponse(reauthentication.prompt, 400);
  const result = await context.attempt(
    context.services.secondFactor.resetSecondFactor({ actor: reauthentication.actor, userId }),
  );
  if (result.ok) throw redirect(`/user-list/${userId}?toast=second-factor-reset`);
  const { failure } = result;
  // The account or its second factor no longer exists.
  if (failure.status === 404) throw redirect(`/user-list/${userId}`);
  const prompt = await reauthentication.promptFor(failure);
  if (prompt) return createPromptResponse(prompt, failure.status);
  return data({ ...EMPTY_RESULT, rejection: packMessage(failure.userMessage) }, { status: failure.status });
}
