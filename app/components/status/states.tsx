import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";
import { LinkButton } from "../button";
import { cx } from "../classes";
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

export interface ErrorStateProps {
  /** The action that failed. */
  readonly title: string;
  /** Status text of the server's response. */
  readonly status?: string;
  /** Address of the link that tries again, usually the page itself. */
  readonly retryHref: string;
  readonly children?: ReactNode;
}

/** A part of the page that failed: `<ErrorState title=… status="503 Service Unavailable" retryHref={url} />`. */
export function ErrorState({ title, status, retryHref, children }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex flex-col items-center rounded-lg bg-surface px-6 py-12 text-center">
      <Icon name="warning" size={32} className="mb-3 text-danger" />
      <p className="text-base font-semibold text-phrase">{title}</p>
      {children && <div className="mt-1 max-w-prose text-sm text-muted text-phrase">{children}</div>}
      {status && <p className="mt-1 text-xs text-muted">{status}</p>}
      <div className="mt-5">
        <LinkButton href={retryHref} icon="retry">
          {t("shared-owners:retry")}
        </LinkButton>
      </div>
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

function Loading({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  const { t } = useTranslation();
  return (
    <div role="status" className={className}>
      <span className="sr-only">{t("shared-owners:loading")}</span>
      {children}
    </div>
  );
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Placeholders for loading cards: `<SkeletonCards count={6} />`. */
export function SkeletonCards({ count = 6 }: { readonly count?: number }) {
  return (
    <Loading className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-x-6 gap-y-8">
      {upTo(count).map((index) => (
        <div key={index}>
          <Skeleton className="aspect-picture w-full rounded-lg" />
          <Skeleton className="mt-3 h-4 w-2/3 rounded-sm" />
          <Skeleton className="mt-2 h-3 w-1/3 rounded-sm" />
        </div>
      ))}
    </Loading>
  );
}

/** Placeholders for loading rows: `<SkeletonTable rows={5} />`. */
export function SkeletonTable({ rows = 5 }: { readonly rows?: number }) {
  return (
    <Loading>
      {upTo(rows).map((index) => (
        <div key={index} className="flex h-12 items-center gap-6 border-b border-line">
          <Skeleton className="h-4 w-1/3 rounded-sm" />
          <Skeleton className="h-4 w-1/6 rounded-sm" />
          <Skeleton className="ml-auto h-4 w-1/5 rounded-sm" />
        </div>
      ))}
    </Loading>
  );
}

/** Placeholders for loading lines: `<SkeletonText lines={3} />`. */
export function SkeletonText({ lines = 3 }: { readonly lines?: number }) {
  return (
    <Loading className="flex flex-col gap-3">
      {upTo(lines).map((index) => (
        <Skeleton
          key={index}
          className={index === lines - 1 ? "h-4 w-3/5 rounded-sm" : "h-4 w-full rounded-sm"}
        />
      ))}
    </Loading>
  );
}
