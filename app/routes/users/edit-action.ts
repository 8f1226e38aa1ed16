import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { bulkChange, changedUserFields, createBulkSchema, createUserSchema } from "~/domain/user.schema";
import { refuse } from "~/forms/result";
import { type MessageWords, packWords } from "~/forms/words";
import { requireAdministrator } from "../shared/administrator.server";
import { uuidParam } from "../shared/ids";
import { toInput } from "./input";

const TOASTS: Readonly<Record<string, string>> = {
  invite: "user-invited",
  delete: "user-removed",
  restore: "user-restored",
  keep: "user-kept",
};

/** The page of one user: its form, and the buttons around it. */
export async function userAction({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await requireAdministrator(context);
  const userId = uuidParam(params.userUuid);
  const form = await context.readForm();
  if (form.has("change")) return act(form, { actor, context, userId });

  const submission = parseWithZod(form, { schema: createUserSchema() });
  const nothing = { conflict: null, refused: null };
  if (submission.status !== "success")
    return data({ ...nothing, lastResult: submission.reply() }, { status: 400 });
  const { value } = submission;
  const { users } = context.services;
  if (form.has("restore")) {
    const [restored] = await users.changeUsers({ actor, userIds: [userId], change: { kind: "restore" } });
    // Taking it out of the trash counts as a save. Whoever was quicker has saved one, too.
    if (restored && restored.refused === null) value.version += 1;
    else if (restored?.user?.deletedAt && restored.refused)
      return data(
        { ...nothing, refused: packWords(restored.refused), lastResult: submission.reply() },
        { status: 400 },
      );
  }
  const result = await context.attempt(users.updateUser({ actor, userId, values: value }));
  if (!result.ok) {
    if (result.failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    return data(
      { ...nothing, lastResult: refuse(submission, result.failure) },
      { status: result.failure.status },
    );
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
      { ...nothing, conflict: { version: saved.version, rows }, lastResult: submission.reply() },
      { status: 409 },
    );
  }
  throw redirect(`${new URL(request.url).pathname.replace(/\.data$/, "")}?toast=user-saved`);
}

async function act(
  form: FormData,
  {
    actor,
    context,
    userId,
  }: Pick<ActionFunctionArgs, "context"> & {
    readonly actor: Awaited<ReturnType<typeof requireAdministrator>>["actor"];
    readonly userId: string;
  },
) {
  form.set("id", userId);
  const submission = parseWithZod(form, { schema: createBulkSchema() });
  if (submission.status !== "success") throw new Response(null, { status: 400, statusText: "Bad Request" });
  const change = bulkChange(submission.value);
  const [result] = await context.services.users.changeUsers({ actor, userIds: [userId], change });
  if (!result?.user) throw new Response(null, { status: 404, statusText: "Not Found" });
  const refused: MessageWords | null = result.refused;
  if (refused)
    return data({ conflict: null, lastResult: null, refused: packWords(refused) }, { status: 400 });
  const toast = TOASTS[change.kind] ?? "user-saved";
  throw redirect(
    change.kind === "delete" ? `/user-list?toast=${toast}` : `/user-list/${userId}?toast=${toast}`,
  );
}
