import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { timeZones } from "~/domain/auth/profile.schema";
import { DEFAULT_TIME_ZONE } from "~/domain/shared/time-zone";
import { createNewUserSchema } from "~/domain/users/user.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { UserNewForm } from "~/forms/users/user-new-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { readReauthentication } from "../../auth/reauthentication.server";
import { ReauthenticationPrompt } from "../../auth/reauthentication-prompt";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { requireAdministratorSession } from "../administrator.server";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireAdministratorSession(context);
  return { title: pageTitle(context, "users:user.newTitle"), timeZones: timeZones(DEFAULT_TIME_ZONE) };
}

export async function action({ context }: ActionFunctionArgs) {
  const session = await requireAdministratorSession(context);
  const form = await context.form.read();
  const { actor, prompt, promptFor } = await readReauthentication(form, context, session);
  const submission = parseWithZod(form, { schema: createNewUserSchema() });
  if (submission.status !== "success" || prompt)
    return data({ lastResult: submission.reply(), prompt }, { status: 400 });
  const result = await context.attempt(context.services.users.addUser({ actor, values: submission.value }));
  if (!result.ok) {
    const { failure } = result;
    const failurePrompt = await promptFor(failure);
    const lastResult = failurePrompt ? submission.reply() : rejectForm(submission, failure);
    return data({ lastResult, prompt: failurePrompt }, { status: failure.status });
  }
  const { user, isInvited, invitationFailure } = result.value;
  if (invitationFailure) throw redirect(`/user-list/${user.id}?problem=${invitationFailure.key}`);
  throw redirect(`/user-list?toast=${isInvited ? "user-created" : "user-created-quietly"}`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "auth", "shared-owners", "users"],
  topBar: (_data, t: Translate) => ({ title: t("users:people.usersTitle") }),
};

export default function NewUserPage() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const { lastResult, prompt } = useActionResult<typeof action>() ?? {};
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={t("users:user.newTitle")}
        breadcrumbs={[{ label: t("users:people.usersTitle"), href: "/user-list" }]}
        description={t("users:user.newLead")}
      />
      {prompt && <ReauthenticationPrompt form="user" reauthentication={prompt} />}
      <UserNewForm lastResult={lastResult} timeZones={page.timeZones} />
    </Container>
  );
}
