import type { EventStatusId } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { Anchor } from "../anchor";
import { cx } from "../cx";
import { Icon } from "../icon";

const tones: Record<EventStatusId, string> = {
  1: "text-status-unpublished",
  2: "text-status-preview",
  3: "text-status-published",
  4: "text-status-archived",
};

function isStatus(id: number): id is EventStatusId {
  return id === 1 || id === 2 || id === 3 || id === 4;
}

/** The shape of a status: ring, half disc, disc or square, because colour alone must not distinguish it. */
export function StatusShape({ statusId }: { readonly statusId: number }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width="12"
      height="12"
      viewBox="0 0 12 12"
      className={cx("shrink-0", isStatus(statusId) ? tones[statusId] : "text-faint")}
    >
      {statusId === 3 && <circle cx="6" cy="6" r="5.5" fill="currentColor" />}
      {statusId === 4 && <rect x="1" y="1" width="10" height="10" rx="1" fill="currentColor" />}
      {statusId === 2 && <path d="M6 1a5 5 0 0 0 0 10z" fill="currentColor" />}
      {statusId !== 3 && statusId !== 4 && (
        <circle
          cx="6"
          cy="6"
          r="4.75"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeDasharray={isStatus(statusId) ? undefined : "2 2"}
        />
      )}
    </svg>
  );
}

/** Returns the label of a status, and an empty text for other numbers (specification §4). */
export function useStatusLabel(statusId: number): string {
  const { t } = useTranslation();
  return isStatus(statusId) ? t(`shared:statuses.${statusId}`) : "";
}

export interface StatusBadgeProps {
  /** Status from 1 to 4. Other numbers have no label. */
  readonly statusId: number;
}

/** The name of a status with its shape and colour: `<StatusBadge statusId={event.statusId} />`. */
export function StatusBadge({ statusId }: StatusBadgeProps) {
  const label = useStatusLabel(statusId);
  return (
    <span className="inline-flex items-center gap-1.5 text-sm leading-title font-normal whitespace-nowrap">
      <StatusShape statusId={statusId} />
      {label}
    </span>
  );
}

export interface StatusButtonProps {
  readonly statusId: number;
  /** Text about when the event opens by itself; null if it does not. */
  readonly opens?: string | null;
  /** URL that opens the status dialog. */
  readonly href: string;
}

/** The status in the top bar (specification §2), as a link that opens the status dialog: `<StatusButton statusId={…} href="?dialog=status" />`. */
export function StatusButton({ statusId, opens = null, href }: StatusButtonProps) {
  const { t } = useTranslation();
  const label = useStatusLabel(statusId) || t("shared:statuses.unknown");
  return (
    <Anchor
      href={href}
      keepScroll
      aria-label={t("shared-owners:changeStatus", { status: opens ? `${label} ${opens}` : label })}
      className="inline-flex min-h-10 items-center gap-1.5 rounded px-2 text-sm leading-title font-semibold whitespace-nowrap text-ink no-underline hover:bg-ink/7"
    >
      <StatusShape statusId={statusId} />
      {/* Phones have no room for both texts: they show when the event opens, and the narrowest ones show the status. */}
      <span className={opens ? "max-md:hidden max-[23rem]:inline" : undefined}>{label}</span>{" "}
      {opens && <span className="max-[23rem]:hidden md:font-normal md:text-muted">{opens}</span>}
      <Icon name="chevron-down" size={16} className="text-muted" />
    </Anchor>
  );
}
