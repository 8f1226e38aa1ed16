import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button, ButtonRow } from "~/components/button";
import { CursorPager } from "~/components/cursor-pager";
import { useFormatDate } from "~/components/date-time";
import { Fact } from "~/components/fact";
import { Notice } from "~/components/status/notice";
import { readCursor } from "~/domain/shared/cursor";
import { toLocalInput } from "~/domain/shared/time-zone";
import { writeTarget } from "~/domain/webhooks/webhook.schema";
import { messageName, webhookStatus } from "~/domain/webhooks/webhooks";
import { useMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { AccountPage, AccountSection, DialogLink } from "../auth/account/account-page";
import { cursorPagerProps } from "../shared/cursor-pager-props";
import type { RouteHandle } from "../shared/handle";
import { keepWithinSlice } from "../shared/keep-within.server";
import { pageTitle } from "../shared/title";
import { useActionResult } from "../shared/unsent-form";
import { uuidParam } from "../shared/uuid-param";
import { changeWebhook } from "./change-webhook";
import { WebhookDialog } from "./dialogs";
import { MessageLog } from "./log";
import { WEBHOOKS_PATH, webhookPath } from "./paths";
import { listTargetOptions } from "./targets.server";
import { SecretNotice, useDescribeTarget, WebhookMark } from "./webhook-parts";

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const webhookId = uuidParam(params.webhookUuid);
  const cursor = readCursor(new URL(request.url).searchParams.get("cursor"));
  const page = await context.services.webhooks.getWebhook({ actor, webhookId, cursor });
  const { webhook, messages } = page;
  keepWithinSlice(messages, request);
  const toLocal = (instant: string) => toLocalInput(instant, user.timeZone);
  const { id, url, types, target, targetName, version, disabledWhy, failingSince } = webhook;
  return {
    title: pageTitle(context, "webhooks:title"),
    webhook: {
      id,
      url,
      types,
      target,
      targetName,
      version,
      disabledWhy,
      status: webhookStatus(webhook),
      failingSince: failingSince && toLocal(failingSince),
    },
    timeZone: user.timeZone,
    options: await listTargetOptions(context, actor, { target, name: targetName }),
    messages: messages.items.map(({ log, at, nextAt, ...message }) => ({
      ...message,
      at: toLocal(at),
      nextAt: toLocal(nextAt),
      attempts: log.map((attempt) => ({ ...attempt, at: toLocal(attempt.at) })),
    })),
    page: {
      ids: messages.items.map((message) => message.id),
      hasPrevious: messages.hasPrevious,
      hasNext: messages.hasNext,
      total: null,
    },
  };
}

export const action = changeWebhook;
export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["account", "shared-owners", "webhooks"],
  topBar: (_data, t: Translate) => ({ title: t("account:title") }),
};

export default function WebhookPage() {
  const { t } = useTranslation();
  const { webhook, options, messages, page, timeZone } = useLoaderData<typeof loader>();
  const { secret, lastResult, rejection } = useActionResult<typeof action>() ?? {};
  const [searchParams] = useSearchParams();
  const message = useMessage();
  const formatDate = useFormatDate();
  const describeTarget = useDescribeTarget();
  const { id, url, types, target, targetName, version, status, disabledWhy, failingSince } = webhook;
  const pageHref = webhookPath(id);
  const host = new URL(url).host;
  // A webhook is disabled by its owner (`paused`), after days of failures (`failing`), or when the endpoint responds with 410 (`gone`).
  const canSend = disabledWhy === null;
  return (
    <AccountPage>
      <AccountSection
        id="webhook"
        title={host}
        lead={<Anchor href={WEBHOOKS_PATH}>{t("webhooks:back")}</Anchor>}
        action={<WebhookMark status={status} />}
      >
        {rejection && (
          <Notice tone="danger" live>
            {message(rejection)}
          </Notice>
        )}
        {secret && (
          <SecretNotice
            secret={secret.text}
            oldSecretHint={t("webhooks:secretBoth", {
              date: formatDate(toLocalInput(secret.until, timeZone)),
            })}
          />
        )}
        {searchParams.has("made") && !secret && <Notice>{t("webhooks:madeBefore")}</Notice>}
        {disabledWhy === "failing" && <Notice tone="danger">{t("webhooks:stoppedFailing")}</Notice>}
        {disabledWhy === "gone" && <Notice tone="danger">{t("webhooks:stoppedGone")}</Notice>}
        {disabledWhy === "paused" && <Notice>{t("webhooks:pausedText")}</Notice>}
        {status === "failing" && failingSince && (
          <Notice tone="warning">{t("webhooks:failingText", { date: formatDate(failingSince) })}</Notice>
        )}
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm max-sm:grid-cols-1">
          <Fact label={t("webhooks:url")}>{url}</Fact>
          <Fact label={t("webhooks:types")}>
            {types
              .map((type) => t(`webhooks:type.${messageName(type)}`))
              .join(t("shared-owners:listSeparator"))}
          </Fact>
          <Fact label={t("webhooks:target")}>{describeTarget(target, targetName)}</Fact>
        </dl>
        <ButtonRow>
          <DialogLink dialog="edit">{t("webhooks:edit")}</DialogLink>
          <DialogLink dialog="secret">{t("webhooks:renew")}</DialogLink>
          <Form method="post">
            <Button type="submit" name="intent" value={canSend ? "pause" : "start"}>
              {t(canSend ? "webhooks:pause" : "webhooks:start")}
            </Button>
          </Form>
          <DialogLink dialog="remove">{t("webhooks:remove")}</DialogLink>
        </ButtonRow>
      </AccountSection>
      <AccountSection
        id="log"
        title={t("webhooks:log")}
        lead={t("webhooks:logLead")}
        action={
          canSend && (
            <Form method="post">
              <Button type="submit" variant="primary" name="intent" value="test">
                {t("webhooks:test")}
              </Button>
            </Form>
          )
        }
      >
        <div>
          <MessageLog messages={messages} canSend={canSend} />
          <CursorPager {...cursorPagerProps(page, searchParams)} />
        </div>
      </AccountSection>
      <WebhookDialog
        requestedDialog={secret ? null : searchParams.get("dialog")}
        host={host}
        lastResult={lastResult}
        values={{ url, types, target: writeTarget(target), version }}
        {...options}
        closeHref={pageHref}
      />
    </AccountPage>
  );
}
