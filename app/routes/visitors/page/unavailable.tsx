import { LanguageSwitch } from "~/components/language-switch";
import { MessagePage } from "~/components/message-page";
import { VersionText } from "~/components/version-text";
import { useTranslation } from "~/i18n/translation";

export interface UnavailableProps {
  readonly version: string | null;
  /** The page's own path and query, for the other language. */
  readonly url: string;
}

/** Where every link ends that shows nothing (§4). */
export function Unavailable({ version, url }: UnavailableProps) {
  const { t, language } = useTranslation();
  return (
    <MessagePage
      icon="lock"
      title={t("visitors:unavailableTitle")}
      note={
        <>
          <LanguageSwitch lang={language} url={url} />
          <VersionText version={version} />
        </>
      }
    >
      <p>{t("visitors:unavailableText")}</p>
      <p>{t("visitors:unavailableHint")}</p>
    </MessagePage>
  );
}
