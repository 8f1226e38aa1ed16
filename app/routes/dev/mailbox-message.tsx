import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Children, createElement } from "react";
import { Container } from "~/components/container";
import { DateTime } from "~/components/date-time";
import { PageHeader } from "~/components/page-header";
import { DEFAULT_TIME_ZONE } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { namedTitle } from "../shared/title";

/** Shows one mail that a development server has kept instead of sending it. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const mail = (await context.site.mailbox?.find(params.id ?? "")) ?? null;
  if (!mail) throw new Response(null, { status: 404, statusText: "Not Found" });
  return { title: namedTitle(context, mail.subject), mail };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = { i18n: ["shared-owners"] };

export default function DevMailMessage() {
  const { t } = useTranslation();
  const { mail } = useLoaderData<typeof loader>();
  return (
    <Container as="main" id="main">
      <PageHeader
        title={mail.subject}
        breadcrumbs={[
          { label: t("shared-owners:dev.mailbox"), href: "/dev/mail" },
          { label: mail.to, href: `/dev/mail?to=${encodeURIComponent(mail.to)}` },
        ]}
        description={<DateTime instant={mail.sentAt} timeZone={DEFAULT_TIME_ZONE} />}
      />
      <div className="mt-6 grid gap-8 lg:grid-cols-2">
        <section aria-labelledby="as-html" className="min-w-0">
          <h2 id="as-html" className="mb-2 text-base font-semibold">
            {t("shared-owners:dev.asHtml")}
          </h2>
          {/* The sandbox runs no scripts. Links of the message open in the top window, because the application may not be framed. */}
          <iframe
            title={t("shared-owners:dev.asHtml")}
            srcDoc={mail.html.replace("<head>", '<head><base target="_top">')}
            sandbox="allow-top-navigation-by-user-activation"
            className="h-160 w-full rounded border border-line"
          />
        </section>
        <section aria-labelledby="as-text" className="min-w-0">
          <h2 id="as-text" className="mb-2 text-base font-semibold">
            {t("shared-owners:dev.asText")}
          </h2>
          <pre
            data-mail-text
            className="rounded border border-line p-4 font-sans text-sm whitespace-pre-wrap wrap-anywhere"
          >
            <LinkedText text={mail.text} />
          </pre>
        </section>
      </div>
    </Container>
  );
}

/** Text whose URLs are links. */
function LinkedText({ text }: { readonly text: string }) {
  const parts = text.split(/(https?:\/\/\S+)/);
  return Children.toArray(
    parts.map((part, index) =>
      index % 2 === 1 ? createElement("a", { href: part, className: "underline" }, part) : part,
    ),
  );
}
