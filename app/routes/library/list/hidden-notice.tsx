import { Notice } from "~/components/status/notice";
import { type HiddenReason, NOT_SHOWN } from "~/domain/library/prepared";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";

/** Reason why visitors do not see a file. */
export function HiddenNotice({ reason, name }: { readonly reason: HiddenReason; readonly name: string }) {
  const { t } = useTranslation();
  return (
    <Notice tone={reason.why === "failed" ? "danger" : "info"} title={t("library:conversion.hidden.title")}>
      <p>{hiddenText(reason, name, t)}</p>
    </Notice>
  );
}

const hiddenText = (
  reason: HiddenReason,
  name: string,
  t: ReturnType<typeof useTranslation>["t"],
): string => {
  if (reason.why === "failed" && reason.code === NOT_SHOWN)
    return t("library:conversion.code.not_shown", { name });
  if (reason.why === "failed")
    return `${t("library:conversion.hidden.failedText")}${t("shared:space")}${t(`library:conversion.code.${reason.code}`, { name })}`;
  return t(
    reason.why === "check" ? `library:check.${reason.state}.text` : "library:conversion.hidden.waitingText",
  );
};

/** Error of a form about a conversion. */
export function PreparationProblem({ problem }: { readonly problem: string }) {
  const message = useMessage();
  return (
    <Notice tone="danger" live>
      {message(problem)}
    </Notice>
  );
}

/** Short reason why visitors do not see a file, for lists. */
export function HiddenMark({ reason, name }: { readonly reason: HiddenReason; readonly name: string }) {
  const { t } = useTranslation();
  const isFailure = reason.why === "failed" || (reason.why === "check" && reason.state === "rejected");
  return <span className={isFailure ? "text-danger" : "text-muted"}>{hiddenMark(reason, name, t)}</span>;
}

/** Short text of the reason why visitors do not see a file. */
export const hiddenMark = (
  reason: HiddenReason,
  name: string,
  t: ReturnType<typeof useTranslation>["t"],
): string => {
  if (reason.why === "check") return t(`library:check.${reason.state}.mark`);
  if (reason.why === "waiting") return t("library:conversion.hidden.waiting");
  const mark = t(`library:conversion.hidden.${reason.code === NOT_SHOWN ? "notShown" : "failed"}`);
  return `${mark} – ${t(`library:conversion.code.${reason.code}`, { name })}`;
};
