import type { AppLoadContext } from "@remix-run/cloudflare";
import { renderToReadableStream } from "react-dom/server";
import { MessagePage } from "~/components/message-page";
import { languages } from "~/i18n/languages.server";
import { I18nextProvider } from "~/i18n/translation";
import styles from "~/styles.css?url";

interface ExportMessage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly backHref: string;
}

/** Page about an export that is not possible. The URL of the export is a resource route, which has no page of its own. */
export async function exportMessage(
  { lang }: Pick<AppLoadContext, "lang">,
  { status, title, text, backHref }: ExportMessage,
): Promise<Response> {
  const { t, i18n } = languages[lang];
  const page = await renderToReadableStream(
    <I18nextProvider i18n={i18n}>
      <html lang={lang}>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title}</title>
          <link rel="stylesheet" href={styles} />
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        </head>
        <body>
          <MessagePage
            icon="warning"
            title={title}
            link={{ href: backHref, label: t("analytics:noFile.back") }}
          >
            {text}
          </MessagePage>
        </body>
      </html>
    </I18nextProvider>,
  );
  return new Response(page, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}
