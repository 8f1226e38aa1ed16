import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import {
  bulkChange,
  changedUserFields,
  createBulkSchema,
  createUserSchema,
} from "~/domain/users/user.schema";
import { refuse } from "~/forms/result";
import { type MessageWords, packWords } from "~/forms/words";
import { type ProofResult, takeProof } from "../../auth/reauthentication.server";
import { uuidParam } from "../../shared/ids";
import { requireAdministrator } from "../administrator.server";
import { actFormId } from "./action-form";
import { NO_RESULT } from "./edit-result";
import { toInput } from "./input";
import { resetFactor } from "./reset-factor-action";

const TOASTS: Readonly<Record<string, string>> = {
  invite: "user-invited",
  delete: "user-removed",
  restore: "user-restored",
  keep: "user-kept",
};

/** The page of one user: its form, and the buttons around it. */
export async function userAction({ request, params, context }: ActionFunctionArgs) {
  const session = await requireAdministrator(context);
  const userId = uuidParam(params.userUuid);
  const form = await context.form.read();
  const proof = await takeProof(form, context, session);
  if (form.get("intent") === "reset-factor") return resetFactor({ proof, context, userId });
  const { actor } = proof;
  if (form.has("change")) return act(form, { proof, context, userId });

  const submission = parseWithZod(form, { schema: createUserSchema() });
  if (submission.status !== "success" || proof.prompt) {
    const prompt = proof.prompt && { form: "user", ask: proof.prompt };
    const version = submission.status === "success" ? submission.value.version : null;
    return data({ ...NO_RESULT, prompt, version, lastResult: submission.reply() }, { status: 400 });
  }
  const { value } = submission;
  const { users } = context.services;
  const ask = async (failure: { readonly code: string }) => {
    const asked = await proof.promptFor(failure);
    return asked && { form: "user", ask: asked };
  };
  if (form.has("restore")) {
    const tried = await context.attempt(
      users.changeUsers({ actor, userIds: [userId], change: { kind: "restore" } }),
    );
    if (!tried.ok) {
      const { failure } = tried;
      const prompt = await ask(failure);
      const lastResult = prompt ? submission.reply() : refuse(submission, failure);
      return data(
        { ...NO_RESULT, prompt, version: prompt && value.version, lastResult },
        { status: failure.status },
      );
    }
    const [restored] = tried.value;
    // Taking it out of the trash counts as a save, also when another administrator has done it.
    if (restored && restored.refused === null) value.version += 1;
    else if (restored?.user?.deletedAt && restored.refused)
      return data(
        {
          ...NO_RESULT,
          refused: packWords(context.withText(restored.refused)),
          lastResult: submission.reply(),
        },
        { status: 400 },
      );
  }
  const result = await context.attempt(users.updateUser({ actor, userId, values: value }));
  if (!result.ok) {
    if (result.failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    const prompt = await ask(result.failure);
    const lastResult = prompt ? submission.reply() : refuse(submission, result.failure);
    // The form keeps the version that it was filled from: sent again, it overwrites no newer one.
    const version = prompt && value.version;
    return data({ ...NO_RESULT, prompt, version, lastResult }, { status: result.failure.status });
  }
  if ("saved" in result.value) {
    const { saved } = result.value;
    const before = toInput(saved);
    const mine = toInput({ ...saved, ...value });
    const rows = changedUserFields(saved, value).map((field) => ({
      field,
      saved: before[field],
      yours: mine[field],
    }));
    return data(
      { ...NO_RESULT, conflict: { version: saved.version, rows }, lastResult: submission.reply() },
      { status: 409 },
    );
  }
  throw redirect(`${new URL(request.url).pathname.replace(/\.data$/, "")}?toast=user-saved`);
}

/** Does the change of one of the page's buttons. Each button is a form of its own, with the id of its change (actFormId). */
async function act(
  form: FormData,
  {
    proof,
    context,
    userId,
  }: Pick<ActionFunctionArgs, "context"> & {
    readonly proof: ProofResult;
    readonly userId: string;
  },
) {
  form.set("id", userId);
  const submission = parseWithZod(form, { schema: createBulkSchema() });
  if (submission.status !== "success") throw new Response(null, { status: 400, statusText: "Bad Request" });
  const change = bulkChange(submission.value);
  const answer = (ask: NonNullable<ProofResult["prompt"]>, status: number) =>
    data({ ...NO_RESULT, prompt: { form: actFormId(change.kind), ask } }, { status });
  if (proof.prompt) return answer(proof.prompt, 400);
  const tried = await context.attempt(
    context.services.users.changeUsers({ actor: proof.actor, userIds: [userId], change }),
  );
  if (!tried.ok) {
    const asked = await proof.promptFor(tried.failure);
    if (asked) return answer(asked, tried.failure.status);
    const { status, words } = tried.failure;
    return data({ ...NO_RESULT, refused: packWords(words) }, { status });
  }
  const [result] = tried.value;
  if (!result?.user) throw new Response(null, { status: 404, statusText: "Not Found" });
  const refused: MessageWords | null = result.refused;
  if (refused) return data({ ...NO_RESULT, refused: packWords(context.withText(refused)) }, { status: 400 });
  const toast = TOASTS[change.kind] ?? "user-saved";
  throw redirect(
    change.kind === "delete" ? `/user-list?toast=${toast}` : `/user-list/${userId}?toast=${toast}`,
  );
}
