import { useTranslation } from "~/i18n/translation";
import { cx } from "../cx";

export interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** Both numbers as text with units, for example "1.2 GB" and "5 GB". */
  readonly text?: { readonly used: string; readonly max: string };
}

/** Shows how much of a limit is used: `<Meter label=… value={3} max={10} />`. */
export function Meter({ label, value, max, text }: MeterProps) {
  const { t } = useTranslation();
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 1;
  const usage = t("shared-owners:used", { used: text?.used ?? value, max: text?.max ?? max });
  return (
    <div className="text-sm">
      <div className="flex items-baseline justify-between gap-4">
        <span className="font-semibold">{label}</span>
        <span className="shrink-0 whitespace-nowrap text-xs text-muted tabular-nums">{usage}</span>
      </div>
      <meter className="sr-only" min={0} max={Math.max(max, 1)} value={value} aria-label={label}>
        {usage}
      </meter>
      <div aria-hidden="true" className="mt-2 h-1 overflow-hidden rounded-full bg-ink/12">
        <div
          className={cx(
            "h-full rounded-full",
            share >= 1 ? "bg-danger" : share >= 0.9 ? "bg-warning" : "bg-accent",
          )}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
