import type { ReactNode } from "react";
import { cx } from "../cx";
import { Icon, type IconName } from "../icon";

export type Tone = "info" | "success" | "warning" | "danger";

const tones: Record<Tone, readonly [icon: IconName, frame: string, iconClass: string]> = {
  info: ["info", "border-line bg-surface", "text-muted"],
  success: ["check", "border-success/40 bg-success/6", "text-success"],
  warning: ["warning", "border-warning/40 bg-warning/6", "text-warning"],
  danger: ["warning", "border-danger/40 bg-danger/6", "text-danger"],
};

export interface NoticeProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children?: ReactNode;
  /** Whether screen readers announce the notice when it appears. */
  readonly live?: boolean;
}

/** A notice in the page: `<Notice tone="danger" title=…>what was kept, what to do</Notice>`. */
export function Notice({ tone = "info", title, children, live = false }: NoticeProps) {
  const [icon, frame, iconClass] = tones[tone];
  return (
    <div
      role={live ? (tone === "danger" ? "alert" : "status") : undefined}
      className={cx("flex gap-3 rounded border p-4 text-sm", frame)}
    >
      <Icon name={icon} className={cx("mt-[calc((1lh-1.25rem)/2)]", iconClass)} />
      <div className="min-w-0 flex-1 text-phrase">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
