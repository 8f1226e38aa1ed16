import { useEffect, useState } from "react";
import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";

/** Explains why nothing can be placed by pointing, and what to do about it. Renders nothing if placing is possible. */
export function NotConnected() {
  const { t } = useTranslation();
  const { connection, hasFailed } = useEditorView();
  const [host, setHost] = useState("");
  useEffect(() => setHost(window.location.hostname), []);
  // The failure is known late, so the sentence is last and does not move the content of the panel.
  if (connection === null && hasFailed)
    return <p className="order-last text-sm text-muted text-phrase">{t("content:notConnected.notShown")}</p>;
  if (connection === null || connection === "connected") return null;
  if (connection === "connecting")
    return (
      <p role="status" className="text-sm text-muted text-phrase">
        {t("content:notConnected.connecting")}
      </p>
    );
  // `plain`: this site has no key for Matterport's SDK.
  return (
    <Notice tone={connection === "plain" ? "info" : "warning"} title={t("content:notConnected.title")} live>
      <p className="text-phrase">{t(`content:notConnected.${connection}`, { host })}</p>
      <p className="mt-2 text-phrase">{t("content:notConnected.meanwhile")}</p>
    </Notice>
  );
}
