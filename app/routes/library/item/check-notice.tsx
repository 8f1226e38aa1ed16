import { Notice } from "~/components/status/notice";
import type { UploadCheck } from "~/domain/library/upload-check";
import { useTranslation } from "~/i18n/translation";

/** Reason why the file cannot be used, or cannot be used yet. */
export function CheckNotice({ state, reason }: UploadCheck) {
  const { t } = useTranslation();
  return (
    <Notice tone={state === "waiting" ? "info" : "danger"} title={t(`library:check.${state}.title`)}>
      <p>{t(`library:check.${state}.text`)}</p>
      {reason && <p className="wrap-anywhere">{t("library:check.reason", { reason })}</p>}
    </Notice>
  );
}
