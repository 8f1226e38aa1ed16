import { Notice } from "~/components/status/notice";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { UploadOutcome } from "./upload.server";

/** Result of an upload without scripts that did not store all files. */
export function UploadResults({ outcome }: { readonly outcome: UploadOutcome }) {
  const { t } = useTranslation();
  const message = useMessage();
  const { problem, stored, failed } = outcome;
  if (problem)
    return (
      <Notice tone="danger" live>
        {message(problem)}
      </Notice>
    );
  return (
    <Notice tone="warning" title={t("library:upload.someFailed", { count: failed.length })} live>
      <ul className="mt-1 grid gap-1">
        {failed.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fixed list of a form's files, whose names may repeat
          <li key={index} className="wrap-anywhere">
            {file.name} – {message(file.problem)}
          </li>
        ))}
      </ul>
      {stored.length > 0 && (
        <p className="mt-3 wrap-anywhere">
          {t("library:upload.stored", { count: stored.length })}
          {t("shared:space")}
          {stored.join(t("shared-owners:listSeparator"))}
        </p>
      )}
    </Notice>
  );
}
