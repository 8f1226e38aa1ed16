import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { LanguageSwitch } from "~/components/language-switch";
import { MessagePage } from "~/components/message-page";
import { VersionText } from "~/components/version-text";
import { useTranslation } from "~/i18n/use-translation";
import { pageTitle } from "./shared/title";

/** Where every link ends that shows nothing (§4). The same for all of them: it does not say whether the event exists. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const title = pageTitle(context, "visit.unavailableTitle");
  const version = (await context.versionText()) || null;
  return data({ title, version, lang: context.lang, url: url.pathname + url.search }, { status: 404 });
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: page?.title ?? "" },
  { name: "robots", content: "noindex" },
];

export default function EventUnavailable() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  return (
    <MessagePage
      icon="lock"
      title={t("visit.unavailableTitle")}
      note={
        <>
          <LanguageSwitch lang={page.lang} url={page.url} />
          <VersionText version={page.version} />
        </>
      }
    >
      <p>{t("visit.unavailableText")}</p>
      <p>{t("visit.unavailableHint")}</p>
    </MessagePage>
  );
}
