import type { ReactNode } from "react";
import { useFormatDate } from "~/components/date-time";
import { Icon } from "~/components/icon";
import type { Instant } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import type { ReportData } from "./read-report.server";

/**
 * Two notices of a visit report. `missing`: recent visits are not yet in the numbers, since a time if it is known. `lost`: the export lacks
 * the single visits of a period, which the numbers contain.
 */
export function MissingVisitNotices({
  report: { missing, lost, timeZone },
}: {
  readonly report: ReportData;
}) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const timeOf = (instant: Instant) => formatDate(toLocalInput(instant, timeZone));
  return (
    <>
      {missing && (
        <MissingNotice>
          {missing.since
            ? t("analytics:missingSince", { since: timeOf(missing.since) })
            : t("analytics:missing")}
        </MissingNotice>
      )}
      {lost && (
        <MissingNotice>
          {t("analytics:lost", { since: timeOf(lost.since), until: timeOf(lost.until) })}
        </MissingNotice>
      )}
    </>
  );
}

const MissingNotice = ({ children }: { readonly children: ReactNode }) => (
  <p role="status" className="flex items-start gap-2 rounded-lg border border-line px-3 py-2 text-sm">
    <Icon name="warning" size={16} className="mt-1 shrink-0" />
    {children}
  </p>
);
