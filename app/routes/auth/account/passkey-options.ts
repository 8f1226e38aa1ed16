import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { createPasskeyBeginSchema } from "~/domain/auth/passkey.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { SECURITY_PATH } from "./security-path";

/** A GET, for example after a log-in, redirects to the dialog that adds a passkey. */
export function loader() {
  throw redirect(`${SECURITY_PATH}?dialog=passkey`);
}

/** Returns the options with which a device creates a passkey, or the errors of the form. */
export async function action({ context }: ActionFunctionArgs) {
  const { actor, user, authenticatedAt } = await context.session.require({ allowsMissingFactor: true });
  const submission = parseWithZod(await context.form.read(), { schema: createPasskeyBeginSchema() });
  if (submission.status !== "success")
    return data(
      { options: null, name: "", lastResult: submission.reply({ hideFields: ["currentPassword"] }) },
      { status: 400 },
    );
  const { name, currentPassword } = submission.value;
  const result = await context.attempt(
    context.services.passkeys.beginPasskey({ user, actor, authenticatedAt, currentPassword }),
  );
  return result.ok
    ? data({ options: result.value, name, lastResult: null })
    : data(
        { options: null, name, lastResult: rejectForm(submission, result.failure, ["currentPassword"]) },
        { status: result.failure.status },
      );
}
