import type { ReactNode } from "react";
import { cx } from "../cx";
import { Icon, type IconName } from "../icon";

const variants = {
  good: { icon: "check", tone: "text-success" },
  waiting: { icon: "clock", tone: "text-muted" },
  warning: { icon: "warning", tone: "text-warning" },
  bad: { icon: "warning", tone: "text-danger" },
  off: { icon: "minus", tone: "text-muted" },
} as const satisfies Record<string, { icon: IconName; tone: string }>;

export interface StateMarkProps {
  readonly variant: keyof typeof variants;
  readonly children: ReactNode;
}

/** The name of a state beside an icon: `<StateMark variant="good">{t("webhooks:tokens.status.active")}</StateMark>`. */
export function StateMark({ variant, children }: StateMarkProps) {
  const { icon, tone } = variants[variant];
  return (
    <span className="inline-flex items-center gap-1 text-sm leading-title font-normal whitespace-nowrap">
      <Icon name={icon} size={16} className={cx("shrink-0", tone)} />
      {children}
    </span>
  );
}
