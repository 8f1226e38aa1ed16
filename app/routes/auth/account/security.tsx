import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { useFormatDate } from "~/components/date-time";
import { Notice } from "~/components/status/notice";
import { isRecentUntilSubmit } from "~/domain/auth/session";
import { describeDevice } from "~/domain/auth/user-agent";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { AccountPage, AccountSection, DialogLink } from "./account-page";
import { changeSecurity } from "./change-security";
import { SecurityDialog } from "./security-dialog";
import { PasskeyList, SessionList } from "./security-lists";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor, user, sessionId, authenticatedAt } = await context.session.require();
  const { account, passkeys, secondFactor } = context.services;
  const [ownPasskeys, sessions, pending, factor] = await Promise.all([
    passkeys.listPasskeys({ actor }),
    account.listSessions({ actor, sessionId }),
    account.pendingEmail({ actor }),
    secondFactor.getSecondFactor({ actor }),
  ]);
  const toLocal = (instant: string) => toLocalInput(instant, user.timeZone);
  return {
    title: pageTitle(context, "account:security.title"),
    email: user.email,
    pending: pending && { email: pending.email, until: toLocal(pending.expiresAt) },
    device: describeDevice(request.headers.get("user-agent") ?? ""),
    isRecent: isRecentUntilSubmit(authenticatedAt, context.now),
    factor: factor && { since: toLocal(factor.createdAt), recoveryCodes: factor.recoveryCodes },
    passkeys: ownPasskeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: toLocal(createdAt),
      usedAt: lastUsedAt && toLocal(lastUsedAt),
    })),
    sessions: sessions.map(({ handle, isCurrent: current, userAgent, createdAt, lastSeenAt }) => ({
      handle,
      current,
      device: describeDevice(userAgent),
      startedAt: toLocal(createdAt),
      seenAt: toLocal(lastSeenAt),
    })),
  };
}

export const action = changeSecurity;
export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "auth", "shared-owners", "webhooks"],
  topBar: (_data, t: Translate) => ({ title: t("account:title") }),
};

export default function Security() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const formatDate = useFormatDate();
  const { email, pending } = page;
  const message = useMessage();
  const dialog = searchParams.get("dialog");
  // If no dialog is open, the form has no place for its error, so the page shows it.
  const formError = dialog === null ? Object.values(result?.lastResult.error ?? {}).flat()[0] : undefined;
  return (
    <AccountPage>
      <AccountSection
        id="email"
        title={t("account:security.email")}
        lead={email}
        action={<DialogLink dialog="email">{t("account:change")}</DialogLink>}
      >
        {formError && (
          <Notice tone="danger" live>
            {message(formError)}
          </Notice>
        )}
        {pending && (
          <Notice title={t("account:email.waitingTitle", { email: pending.email })}>
            <p>{t("account:email.waitingText", { until: formatDate(pending.until) })}</p>
            <Form method="post" className="mt-3">
              <ButtonRow>
                <Button type="submit" name="intent" value="email-again">
                  {t("account:email.resend")}
                </Button>
                <Button type="submit" name="intent" value="email-cancel">
                  {t("account:email.cancel")}
                </Button>
              </ButtonRow>
            </Form>
          </Notice>
        )}
      </AccountSection>
      <AccountSection
        id="password"
        title={t("account:security.password")}
        lead={t("account:security.passwordLead")}
        action={<DialogLink dialog="password">{t("account:change")}</DialogLink>}
      />
      <AccountSection
        id="second-factor"
        title={t("account:secondFactor.title")}
        lead={t("account:secondFactor.lead")}
        action={
          <LinkButton href="/account/second-factor">
            {t(page.factor ? "account:secondFactor.manage" : "account:secondFactor.setUp")}
          </LinkButton>
        }
      >
        <p className="text-sm text-muted">
          {page.factor
            ? `${t("account:secondFactor.on", { date: formatDate(page.factor.since) })} ${t("account:secondFactor.codesLeft", { count: page.factor.recoveryCodes })}`
            : t("account:secondFactor.off")}
        </p>
      </AccountSection>
      <AccountSection
        id="passkeys"
        title={t("account:passkey.title")}
        lead={t("account:passkey.lead")}
        action={
          <div className="needs-script">
            <DialogLink dialog="passkey">{t("account:passkey.add")}</DialogLink>
          </div>
        }
      >
        <PasskeyList passkeys={page.passkeys} />
      </AccountSection>
      <AccountSection id="sessions" title={t("account:sessions.title")} lead={t("account:sessions.lead")}>
        <SessionList sessions={page.sessions} />
      </AccountSection>
      <SecurityDialog
        dialog={dialog}
        passkey={page.passkeys.find(({ id }) => id === searchParams.get("passkey"))}
        email={email}
        device={page.device}
        isRecent={page.isRecent}
        lastResult={result?.lastResult}
      />
    </AccountPage>
  );
}
