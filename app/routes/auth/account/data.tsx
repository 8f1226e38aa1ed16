import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { useFormatDate } from "~/components/date-time";
import { Dialog } from "~/components/dialog";
import { Meter } from "~/components/status/meter";
import { Notice } from "~/components/status/notice";
import { createConfirmSchema } from "~/domain/auth/account.schema";
import { toLocalInput } from "~/domain/shared/time-zone";
import { usageMeters } from "~/domain/users/usage";
import { ConfirmForm } from "~/forms/shared/confirm-form";
import { rejectForm } from "~/forms/shared/reject-form";
import { formatBytes } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { AccountPage, AccountSection } from "./account-page";

const DATA_PATH = "/account/data";

export async function loader({ context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const usage = await context.services.users.getUsage({ actor });
  return {
    title: pageTitle(context, "account:data.title"),
    email: user.email,
    spaces: { used: user.spaceCount, limit: user.spaceLicense },
    storage: { used: user.storageUsed, limit: user.storageLimit },
    limits: usageMeters(usage, user),
    deletionRequestedOn: user.deletionRequestedAt && toLocalInput(user.deletionRequestedAt, user.timeZone),
  };
}

export async function action({ context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const form = await context.form.read();
  if (form.get("intent") === "withdraw") {
    await context.services.account.withdrawDeletion({ actor });
    throw redirect(`${DATA_PATH}?toast=deletion-withdrawn`);
  }
  const submission = parseWithZod(form, { schema: createConfirmSchema() });
  if (submission.status !== "success")
    return data(submission.reply({ hideFields: ["currentPassword"] }), { status: 400 });
  const result = await context.attempt(
    context.services.account.requestDeletion({ actor, ...submission.value }),
  );
  if (!result.ok)
    return data(rejectForm(submission, result.failure, ["currentPassword"]), {
      status: result.failure.status,
    });
  throw redirect(`${DATA_PATH}?toast=deletion-requested`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "auth", "shared-owners", "webhooks"],
  topBar: (_data, t: Translate) => ({ title: t("account:title") }),
};

export default function Data() {
  const { t } = useTranslation();
  const { spaces, storage, limits, deletionRequestedOn, email } = useLoaderData<typeof loader>();
  const lastResult = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const formatDate = useFormatDate();
  return (
    <AccountPage>
      <AccountSection id="in-use" title={t("account:data.usage")} lead={t("account:data.usageText")}>
        <div className="grid gap-6">
          <Meter label={t("shared-owners:people.spaces")} value={spaces.used} max={spaces.limit} />
          <Meter
            label={t("shared-owners:people.storage")}
            value={storage.used}
            max={storage.limit}
            text={{ used: formatBytes(storage.used), max: formatBytes(storage.limit) }}
          />
          {limits.map(({ name, used, limit, unit }) => (
            <Meter
              key={name}
              label={t(`account:usage.${name}`)}
              value={used}
              max={limit}
              {...(unit === "bytes" && { text: { used: formatBytes(used), max: formatBytes(limit) } })}
            />
          ))}
        </div>
        <p className="text-sm text-muted text-phrase">{t("account:usage.perSpaceLimits")}</p>
      </AccountSection>
      <AccountSection id="deletion" title={t("account:data.deletion")} lead={t("account:data.deletionText")}>
        {deletionRequestedOn ? (
          <Notice tone="warning" title={t("account:data.waitingTitle")}>
            <p>{t("account:data.waitingText", { date: formatDate(deletionRequestedOn, { time: false }) })}</p>
            <Form method="post" className="mt-3">
              <Button type="submit" name="intent" value="withdraw">
                {t("account:data.withdraw")}
              </Button>
            </Form>
          </Notice>
        ) : (
          <div>
            <LinkButton href="?dialog=delete" keepScroll>
              {t("account:data.request")}
            </LinkButton>
          </div>
        )}
      </AccountSection>
      {searchParams.get("dialog") === "delete" && !deletionRequestedOn && (
        <Dialog title={t("account:data.requestTitle")} closeHref={DATA_PATH} size="small">
          <ConfirmForm
            id="deletion-request"
            lastResult={lastResult}
            intent="request"
            requiresPassword
            email={email}
            submit={t("account:data.requestSubmit")}
            cancelHref={DATA_PATH}
          >
            {t("account:data.requestText")}
          </ConfirmForm>
        </Dialog>
      )}
    </AccountPage>
  );
}
