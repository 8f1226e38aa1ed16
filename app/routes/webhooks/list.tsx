import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { EmptyState } from "~/components/status/states";
import { webhookStatus } from "~/domain/webhooks/webhooks";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { AccountPage, AccountSection } from "../auth/account/account-page";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { WEBHOOKS_PATH, webhookPath } from "./paths";
import { useDescribeTarget, WebhookMark } from "./webhook-parts";

export async function loader({ context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const webhooks = await context.services.webhooks.listWebhooks({ actor });
  return {
    title: pageTitle(context, "webhooks:title"),
    webhooks: webhooks.map((webhook) => ({
      id: webhook.id,
      url: webhook.url,
      status: webhookStatus(webhook),
      target: webhook.target,
      targetName: webhook.targetName,
    })),
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "shared-owners", "webhooks"],
  topBar: (_data, t: Translate) => ({ title: t("account:title") }),
};

export default function Webhooks() {
  const { t } = useTranslation();
  const { webhooks } = useLoaderData<typeof loader>();
  const describeTarget = useDescribeTarget();
  const createButton = (
    <LinkButton href={`${WEBHOOKS_PATH}/new`} variant="primary" icon="plus">
      {t("webhooks:create")}
    </LinkButton>
  );
  return (
    <AccountPage>
      <AccountSection
        id="webhooks"
        title={t("webhooks:title")}
        lead={t("webhooks:lead")}
        action={webhooks.length > 0 && createButton}
      >
        {webhooks.length === 0 ? (
          <EmptyState icon="link" title={t("webhooks:empty")} action={createButton}>
            {t("webhooks:emptyText")}
          </EmptyState>
        ) : (
          <ul id="list" tabIndex={-1} className="border-t border-line">
            {webhooks.map(({ id, url, status, target, targetName }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line py-3"
              >
                <div className="min-w-0 flex-1 basis-60">
                  <Anchor
                    href={webhookPath(id)}
                    className="inline-flex min-h-10 items-center text-sm font-semibold text-ink wrap-anywhere hover:underline"
                  >
                    {url}
                  </Anchor>
                  <p className="text-xs text-muted wrap-anywhere">{describeTarget(target, targetName)}</p>
                </div>
                <WebhookMark status={status} />
              </li>
            ))}
          </ul>
        )}
      </AccountSection>
    </AccountPage>
  );
}
