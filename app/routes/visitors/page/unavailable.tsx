import { LanguageSwitch } from "~/components/menus/language-switch";
import { MessagePage } from "~/components/message-page";
import { VersionText } from "~/components/version-text";
import { useTranslation } from "~/i18n/translation";

export interface UnavailableProps {
  readonly version: string | null;
  /** Path and query of the page, for the language switch. */
  readonly url: string;
}

/** Page for links that open nothing (specification §4). */
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
