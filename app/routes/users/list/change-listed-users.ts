import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { bulkChange, createBulkSchema } from "~/domain/users/user.schema";
import { formatName } from "~/i18n/format";
import { type Reauthentication, readReauthentication } from "../../auth/reauthentication.server";
import type { RowResult } from "./row";

/** Handles the form of the user list: changes all selected accounts. */
export async function changeListedUsers({ request, context }: ActionFunctionArgs) {
  const session = await context.session.require();
  const form = await context.form.read();
  const reauthentication = await readReauthentication(form, context, session);
  const submission = parseWithZod(form, { schema: createBulkSchema() });
  const formValues = Object.fromEntries(
    ["change", "status", "spaceLicense", "storageLimit"].map((name) => [name, String(form.get(name) ?? "")]),
  );
  const emptyResult = {
    typed: formValues,
    errors: {},
    results: [] as RowResult[],
    prompt: null as Reauthentication | null,
  };
  const chosenIds = form.getAll("id").map(String);
  if (submission.status !== "success")
    return data({ ...emptyResult, chosen: chosenIds, errors: submission.error ?? {} }, { status: 400 });
  if (reauthentication.prompt)
    return data({ ...emptyResult, chosen: chosenIds, prompt: reauthentication.prompt }, { status: 400 });
  const { value } = submission;
  const changes = context.services.users.changeUsers({
    actor: reauthentication.actor,
    userIds: value.id,
    change: bulkChange(value),
  });
  const result = await context.attempt(changes);
  const prompt = result.ok ? null : await reauthentication.promptFor(result.failure);
  if (prompt) return data({ ...emptyResult, chosen: chosenIds, prompt }, { status: 403 });
  // Any other failure is thrown, so that the error boundary shows it.
  const results = (await changes).map(
    ({ userId, user, rejection }): RowResult => ({
      id: userId,
      name: user && formatName(user),
      rejection: rejection && context.translateMessage(rejection),
    }),
  );
  const failedIds = results.filter(({ rejection }) => rejection !== null).map(({ id }) => id);
  if (failedIds.length > 0)
    return data(
      { ...emptyResult, chosen: failedIds, results },
      { status: failedIds.length < results.length ? 200 : 400 },
    );
  const params = new URL(request.url).searchParams;
  params.set("toast", "users-changed");
  throw redirect(`/user-list?${params}`);
}
