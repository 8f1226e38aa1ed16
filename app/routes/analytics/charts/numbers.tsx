import { cx } from "~/components/cx";
import { useTranslation } from "~/i18n/translation";
import type { ReportData } from "../read-report.server";
import { computeChange, formatAmount, type NumberName } from "./amounts";

const CHANGE_ICONS = {
  more: { path: "M5 1.5 9 8.5H1z", tone: "text-success" },
  less: { path: "M5 8.5 1 1.5h8z", tone: "text-warning" },
  same: { path: "M1 4h8v2H1z", tone: "text-muted" },
  wasNone: { path: "M1 4h8v2H1z", tone: "text-muted" },
} as const;

interface NumbersProps {
  readonly report: ReportData;
  readonly names: readonly NumberName[];
}

/** The named numbers of a report, each with its change since the previous period. */
export function Numbers({ report, names }: NumbersProps) {
  const { t } = useTranslation();
  const { kind, isRunning } = report.period;
  return (
    <section aria-labelledby="numbers-title" className="grid break-inside-avoid gap-3">
      <h2 id="numbers-title" className="sr-only">
        {t("analytics:numbers")}
      </h2>
      <dl
        className={cx(
          "grid gap-px overflow-hidden rounded border border-line bg-line",
          names.length === 3 ? "grid-cols-3" : "grid-cols-2",
          names.length === 4 && "md:grid-cols-4 print:grid-cols-4",
        )}
      >
        {names.map((name) => {
          const number = report.numbers[name];
          const change = computeChange(number);
          return (
            <div key={name} className="grid content-start gap-1 bg-paper p-4">
              <dt className="text-sm text-muted">{t(`analytics:number.${name}`)}</dt>
              <dd className="text-xl leading-title font-semibold tabular-nums">
                {formatAmount(name, number.value)}
              </dd>
              <dd className="min-h-[1lh] text-xs">
                {change && (
                  <span className="inline-flex items-center gap-1.5">
                    <svg
                      aria-hidden="true"
                      viewBox="0 0 10 10"
                      width="10"
                      height="10"
                      className={CHANGE_ICONS[change.kind].tone}
                    >
                      <path d={CHANGE_ICONS[change.kind].path} fill="currentColor" />
                    </svg>
                    {t(`analytics:${change.kind}`, "share" in change ? { share: change.share } : {})}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="max-w-3xl text-xs text-muted text-phrase">
        {t(
          kind === "all"
            ? "analytics:notCompared"
            : isRunning
              ? "analytics:comparedRunning"
              : "analytics:compared",
        )}
        {names.includes("visitors") &&
          kind !== "daily" &&
          `${t("shared:space")}${t("analytics:visitorsMeant")}`}
      </p>
    </section>
  );
}
