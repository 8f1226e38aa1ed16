import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Dialog } from "~/components/dialog";
import { CopyField } from "~/components/fields/copy-field";
import { Notice } from "~/components/status/notice";
import { isRecentUntilSubmit } from "~/domain/auth/session";
import { toLocalInput } from "~/domain/shared/time-zone";
import { listScopes } from "~/domain/webhooks/scopes";
import { ConfirmForm } from "~/forms/shared/confirm-form";
import { TokenForm } from "~/forms/webhooks/token-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { AccountPage, AccountSection } from "../../auth/account/account-page";
import type { RouteHandle } from "../../shared/handle";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { changeTokens } from "./change-tokens";
import { NewTokenLink, TokenList } from "./token-list";
import { TOKENS_PATH } from "./tokens-path";

export async function loader({ context }: LoaderFunctionArgs) {
  const { actor, user, authenticatedAt } = await context.session.require();
  const tokens = await context.services.tokens.listTokens({ actor });
  const toLocal = (instant: string) => toLocalInput(instant, user.timeZone);
  return {
    title: pageTitle(context, "webhooks:tokens.title"),
    email: user.email,
    newId: crypto.randomUUID() as string,
    scopes: listScopes(user.role),
    isRecent: isRecentUntilSubmit(authenticatedAt, context.now),
    tokens: tokens.map(({ createdAt, expiresAt, lastUsedAt, revokedAt: _revoked, ...token }) => ({
      ...token,
      createdAt: toLocal(createdAt),
      expiresAt: toLocal(expiresAt),
      usedAt: lastUsedAt && toLocal(lastUsedAt),
    })),
  };
}

export const action = changeTokens;
export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "auth", "shared-owners", "webhooks"],
  topBar: (_data, t: Translate) => ({ title: t("account:title") }),
};

export default function Tokens() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const { created, lastResult } = result ?? {};
  // The form posts to the page without its dialog, so that the response can be reloaded.
  const dialog = created ? null : lastResult ? "new" : searchParams.get("dialog");
  const token = page.tokens.find(({ id, status }) => id === searchParams.get("token") && status === "active");
  return (
    <AccountPage>
      <AccountSection
        id="tokens"
        title={t("webhooks:tokens.title")}
        lead={t("webhooks:tokens.lead")}
        action={page.tokens.length > 0 && <NewTokenLink />}
      >
        {created && (
          <Notice tone="success" title={t("webhooks:tokens.madeTitle", { name: created.name })} live>
            <p className="mb-3">{t("webhooks:tokens.madeText")}</p>
            <CopyField id="made-token" label={t("webhooks:tokens.madeField")} value={created.token} wraps />
          </Notice>
        )}
        {searchParams.has("made") && !created && <Notice>{t("webhooks:tokens.madeBefore")}</Notice>}
        <TokenList tokens={page.tokens} />
        <p className="text-xs text-muted text-phrase">{t("webhooks:tokens.endsNote")}</p>
      </AccountSection>
      <AccountSection id="programs" title={t("account:api.title")} lead={t("account:api.text")}>
        <p>
          <Anchor href="/api/docs" reload className="text-accent underline">
            {t("account:api.reference")}
          </Anchor>
        </p>
      </AccountSection>
      {dialog === "new" && (
        <Dialog title={t("webhooks:tokens.createTitle")} closeHref={TOKENS_PATH}>
          <TokenForm
            id={page.newId}
            scopes={page.scopes}
            email={page.email}
            requiresPassword={!page.isRecent || lastResult?.error?.currentPassword !== undefined}
            lastResult={lastResult}
            action={TOKENS_PATH}
            cancelHref={TOKENS_PATH}
          />
        </Dialog>
      )}
      {dialog === "revoke" && token && (
        <Dialog
          title={t("webhooks:tokens.revokeTitle", { name: token.name })}
          closeHref={TOKENS_PATH}
          size="small"
        >
          <ConfirmForm
            id="token-revoke"
            intent="revoke"
            values={{ token: token.id }}
            requiresPassword={false}
            email={page.email}
            submit={t("webhooks:tokens.revoke")}
            cancelHref={TOKENS_PATH}
          >
            {t("webhooks:tokens.revokeText")}
          </ConfirmForm>
        </Dialog>
      )}
    </AccountPage>
  );
}
