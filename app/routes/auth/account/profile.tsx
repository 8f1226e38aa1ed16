import { parseWithZod } from "@conform-to/zod/v4";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { DateTime } from "~/components/date-time";
import {
  changedProfileFields,
  createProfileSchema,
  type ProfileField,
  timeZones,
} from "~/domain/auth/profile.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { ProfileConflict } from "~/forms/users/profile-conflict";
import { ProfileForm } from "~/forms/users/profile-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { AccountPage, AccountSection } from "./account-page";

export async function loader({ context }: LoaderFunctionArgs) {
  const { user } = await context.session.require();
  const { version, firstName, lastName, companyName, language, timeZone, statusMails, createdAt } = user;
  return {
    title: pageTitle(context, "account:profile.title"),
    saved: { version, firstName, lastName, companyName, language, timeZone, statusMails },
    timeZones: timeZones(timeZone),
    createdAt,
  };
}

export async function action({ context }: ActionFunctionArgs) {
  const { actor, user } = await context.session.require();
  const submission = parseWithZod(await context.form.read(), { schema: createProfileSchema() });
  if (submission.status !== "success")
    return data({ conflict: null, lastResult: submission.reply() }, { status: 400 });
  const { value } = submission;
  const result = await context.attempt(context.services.account.updateProfile({ actor, values: value }));
  if (!result.ok)
    return data(
      { conflict: null, lastResult: rejectForm(submission, result.failure) },
      { status: result.failure.status },
    );
  if (result.value.status === "conflict") {
    const { saved } = result.value;
    const rows = changedProfileFields(saved, value).map((field: ProfileField) => ({
      field,
      saved: saved[field],
      yours: value[field],
    }));
    return data(
      { conflict: { version: saved.version, rows }, lastResult: submission.reply() },
      { status: 409 },
    );
  }
  const profileUrl = "/account?toast=profile-saved";
  if (value.language === user.language && value.language === context.lang) throw redirect(profileUrl);
  context.page.rememberLanguage(value.language);
  // The page must be loaded as a new document because its language may have changed.
  throw redirectDocument(profileUrl);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "auth", "shared-owners", "webhooks"],
  topBar: (_data, t: Translate) => ({ title: t("account:title") }),
};

export default function Profile() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const { conflict } = result ?? {};
  return (
    <AccountPage>
      <AccountSection
        id="profile"
        title={t("account:profile.title")}
        lead={
          <>
            {t("account:profile.memberSince")}{" "}
            <DateTime instant={page.createdAt} timeZone={page.saved.timeZone} time={false} />
          </>
        }
      >
        {conflict && <ProfileConflict rows={conflict.rows} reloadHref="/account" />}
        <ProfileForm
          key={page.saved.version}
          saved={page.saved}
          lastResult={result?.lastResult}
          conflictVersion={conflict?.version}
          timeZones={page.timeZones}
        />
      </AccountSection>
    </AccountPage>
  );
}
