import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { ButtonRow, LinkButton } from "~/components/button";
import { useFormatDate } from "~/components/date-time";
import { Dialog } from "~/components/dialog";
import { Notice } from "~/components/status/notice";
import { isRecentUntilSubmit } from "~/domain/auth/session";
import { describeDevice } from "~/domain/auth/user-agent";
import { toLocalInput } from "~/domain/shared/time-zone";
import { SecondFactorForm } from "~/forms/auth/second-factor-form";
import { ConfirmForm } from "~/forms/shared/confirm-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../../shared/handle";
import { hrefWith } from "../../shared/href-with";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { AccountPage, AccountSection } from "./account-page";
import { changeSecondFactor, hrefAfterSetup } from "./change-second-factor";
import { PasskeyAdd } from "./passkey-add";
import { RecoveryCodes } from "./recovery-codes";
import { useDeviceName } from "./security-lists";
import { SECURITY_PATH } from "./security-path";
import { createSetupFormData } from "./setup-form-data.server";

/** An administrator who still has to set up a second factor can open no other page that needs a log-in, so passkeys can be added here as well. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const session = await context.session.require({ allowsMissingFactor: true });
  const { actor, user, authenticatedAt, mustSetUpFactor } = session;
  const { secondFactor } = context.services;
  const factor = await secondFactor.getSecondFactor({ actor });
  const next = new URL(request.url).searchParams.get("next");
  return {
    title: pageTitle(context, "account:secondFactor.title"),
    email: user.email,
    device: describeDevice(request.headers.get("user-agent") ?? ""),
    isRecent: isRecentUntilSubmit(authenticatedAt, context.now),
    isRequired: mustSetUpFactor,
    nextHref: hrefAfterSetup(next, mustSetUpFactor || next !== null, user.role),
    factor: factor && {
      since: toLocalInput(factor.createdAt, user.timeZone),
      recoveryCodes: factor.recoveryCodes,
      // False if the stored secret can no longer be decrypted.
      isReadable: factor.isReadable,
    },
    setup: factor ? null : createSetupFormData(await secondFactor.beginSecondFactor({ user })),
  };
}

export const action = changeSecondFactor;
export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "auth", "shared-owners", "webhooks"],
  topBar: (_data, t: Translate) => ({ title: t("account:title") }),
};

export default function SecondFactor() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const formatDate = useFormatDate();
  const deviceName = useDeviceName();
  const dialog = searchParams.get("dialog");
  const pageHref = hrefWith(searchParams, "dialog", null);
  const lastResult = result?.lastResult;
  // The log-in may have become too old since the page was loaded.
  const requiresPassword = !page.isRecent || lastResult?.error?.currentPassword !== undefined;
  const formProps = {
    lastResult,
    email: page.email,
    requiresPassword,
    cancelHref: pageHref,
  };
  if (result?.codes)
    return (
      <AccountPage>
        <RecoveryCodes codes={result.codes} href={page.nextHref} />
      </AccountPage>
    );
  const { factor } = page;
  const setup = result?.setup ?? page.setup;
  return (
    <AccountPage>
      {page.isRequired && <Notice tone="warning">{t("account:secondFactor.required")}</Notice>}
      <AccountSection
        id="second-factor"
        title={t("account:secondFactor.title")}
        lead={t("account:secondFactor.lead")}
      >
        {factor && (
          <>
            <p>{t("account:secondFactor.on", { date: formatDate(factor.since) })}</p>
            <p>{t("account:secondFactor.codesLeft", { count: factor.recoveryCodes })}</p>
            {!factor.isReadable && <Notice tone="warning">{t("account:secondFactor.unreadable")}</Notice>}
            <ButtonRow>
              <LinkButton href="?dialog=codes" keepScroll>
                {t("account:secondFactor.renew")}
              </LinkButton>
              <LinkButton href="?dialog=remove" keepScroll>
                {t("account:secondFactor.remove")}
              </LinkButton>
            </ButtonRow>
          </>
        )}
        {!factor && setup && (
          <SecondFactorForm
            key={setup.sealed}
            lastResult={dialog === null ? lastResult : null}
            email={page.email}
            requiresPassword={requiresPassword}
            setup={setup}
          />
        )}
        {!factor && (
          <div className="needs-script">
            <LinkButton href={hrefWith(searchParams, "dialog", "passkey")} icon="key" keepScroll>
              {t("account:secondFactor.orPasskey")}
            </LinkButton>
          </div>
        )}
        {!page.isRequired && (
          <Anchor
            href={SECURITY_PATH}
            className="inline-flex min-h-10 items-center justify-self-start text-sm underline"
          >
            {t("account:secondFactor.back")}
          </Anchor>
        )}
      </AccountSection>
      {factor && (dialog === "codes" || dialog === "remove") && (
        <Dialog
          closeHref={pageHref}
          size="small"
          title={t(
            dialog === "codes" ? "account:secondFactor.renewTitle" : "account:secondFactor.removeTitle",
          )}
        >
          <ConfirmForm
            {...formProps}
            id={`second-factor-${dialog}`}
            intent={dialog}
            submit={t(dialog === "codes" ? "account:secondFactor.renew" : "account:secondFactor.remove")}
          >
            {t(dialog === "codes" ? "account:secondFactor.renewText" : "account:secondFactor.removeText")}
          </ConfirmForm>
        </Dialog>
      )}
      {dialog === "passkey" && !factor && (
        <Dialog closeHref={pageHref} size="small" title={t("account:passkey.addTitle")}>
          <PasskeyAdd {...formProps} name={deviceName(page.device)} />
        </Dialog>
      )}
    </AccountPage>
  );
}
