import type { ReactNode } from "react";
import { cx } from "../cx";
import { Icon, type IconName } from "../icon";

export interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  /** Text that explains the next step. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Empty state with a next step: `<EmptyState icon="cube" title=… action={<LinkButton …/>}>…</EmptyState>`. */
export function EmptyState({ icon = "folder", title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-lg bg-surface px-6 py-12 text-center">
      <Icon name={icon} size={32} className="mb-3 text-faint" />
      <p className="text-base font-semibold text-phrase">{title}</p>
      {children && <div className="mt-1 max-w-prose text-sm text-muted text-phrase">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

/** A grey placeholder for text: `<Skeleton className="h-4 w-40 rounded-sm" />`. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cx("bg-ink/8 motion-safe:animate-breathe", className ?? "h-4 w-full rounded-sm")}
    />
  );
}
