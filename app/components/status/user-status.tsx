import type { UserStatus } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../cx";

const tones: Record<UserStatus, string> = {
  ACTIVATED: "text-success",
  EMAIL_VERIFIED: "text-warning",
  EMAIL_UNVERIFIED: "text-muted",
  DISAPPROVED: "text-status-archived",
  BLOCKED: "text-danger",
};

/** The shape of an account's status: disc, half disc, ring, square or barred ring, because colour alone must not distinguish it. */
export function UserStatusShape({ status }: { readonly status: UserStatus }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width="12"
      height="12"
      viewBox="0 0 12 12"
      className={cx("shrink-0", tones[status])}
    >
      {status === "ACTIVATED" && <circle cx="6" cy="6" r="5.5" fill="currentColor" />}
      {status === "DISAPPROVED" && <rect x="1" y="1" width="10" height="10" rx="1" fill="currentColor" />}
      {status === "EMAIL_VERIFIED" && <path d="M6 1a5 5 0 0 0 0 10z" fill="currentColor" />}
      {status === "BLOCKED" && <path d="M2.6 9.4l6.8-6.8" stroke="currentColor" strokeWidth="1.5" />}
      {status !== "ACTIVATED" && status !== "DISAPPROVED" && (
        <circle cx="6" cy="6" r="4.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
      )}
    </svg>
  );
}

/** The name of an account's status with its shape and colour: `<UserStatusBadge status={user.status} />`. */
export function UserStatusBadge({ status }: { readonly status: UserStatus }) {
  const { t } = useTranslation();
  return (
    <span className="inline-flex items-center gap-1.5 text-sm leading-title font-normal whitespace-nowrap">
      <UserStatusShape status={status} />
      {t(`users:people.status.${status}`)}
    </span>
  );
}
