import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { DateTime } from "~/components/date-time";
import { LanguageSwitch } from "~/components/menus/language-switch";
import { PageHeader } from "~/components/page-header";
import { EmptyState } from "~/components/status/states";
import { Table } from "~/components/table";
import { DEFAULT_TIME_ZONE } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";

/** Lists the mails that a development server has kept instead of sending them. Other servers have no mailbox. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.site.mailbox) throw new Response(null, { status: 404, statusText: "Not Found" });
  const url = new URL(request.url);
  const to = url.searchParams.get("to");
  const mails = await context.site.mailbox.list();
  return {
    title: pageTitle(context, "shared-owners:dev.mailbox"),
    url: url.pathname + url.search,
    lang: context.lang,
    to,
    mails: mails
      .filter((mail) => to === null || mail.to === to)
      .map(({ id, sentAt, to: recipient, subject }) => ({ id, sentAt, to: recipient, subject })),
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["shared-owners"] };

export default function DevMail() {
  const { t } = useTranslation();
  const { mails, to, lang, url } = useLoaderData<typeof loader>();
  return (
    <Container as="main" id="main">
      <PageHeader
        title={to === null ? t("shared-owners:dev.mailbox") : t("shared-owners:dev.mailboxOf", { to })}
        description={t("shared-owners:dev.mailboxLead")}
        action={to !== null && <LinkButton href="/dev/mail">{t("shared-owners:dev.all")}</LinkButton>}
      />
      <div className="my-6">
        <Table
          caption={t("shared-owners:dev.mailbox")}
          rows={mails}
          rowKey={(mail) => mail.id}
          empty={
            <EmptyState icon="info" title={t("shared-owners:dev.mailboxEmpty")}>
              {t("shared-owners:dev.mailboxEmptyText")}
            </EmptyState>
          }
          columns={[
            {
              key: "subject",
              header: t("shared-owners:dev.subject"),
              cell: (mail) => (
                <Anchor href={`/dev/mail/${mail.id}`} className="inline-flex min-h-10 items-center">
                  {mail.subject}
                </Anchor>
              ),
            },
            {
              key: "to",
              header: t("shared-owners:dev.to"),
              cell: (mail) => (
                <Anchor
                  href={`?to=${encodeURIComponent(mail.to)}`}
                  className="inline-flex min-h-10 items-center text-ink wrap-anywhere"
                >
                  {mail.to}
                </Anchor>
              ),
            },
            {
              key: "sent",
              header: t("shared-owners:dev.sent"),
              cell: (mail) => <DateTime instant={mail.sentAt} timeZone={DEFAULT_TIME_ZONE} />,
            },
          ]}
        />
      </div>
      <LanguageSwitch lang={lang} url={url} className="-ml-2" />
    </Container>
  );
}
