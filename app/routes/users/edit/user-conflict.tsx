import type { UserField } from "~/domain/users/user.schema";
import { ConflictTable } from "~/forms/shared/conflict-table";
import { useTranslation } from "~/i18n/translation";

const LABELS = {
  email: "users:user.email",
  lastName: "users:user.lastName",
  firstName: "users:user.firstName",
  companyName: "users:user.company",
  role: "users:user.role",
  status: "users:user.status",
  spaceLicense: "users:user.spaceLicense",
  storageLimit: "users:user.storageLimit",
  language: "users:user.language",
  timeZone: "users:user.timeZone",
} as const satisfies Record<UserField, string>;

export interface UserConflictProps {
  readonly rows: readonly { readonly field: UserField; readonly saved: string; readonly yours: string }[];
  /** The account is in the trash; saving restores it. */
  readonly inTrash: boolean;
  readonly reloadHref: string;
}

/** Shows the saved and the edited values of an account that was changed while an administrator edited it. */
export function UserConflict({ rows, inTrash, reloadHref }: UserConflictProps) {
  const { t } = useTranslation();
  const formatValue = (field: UserField, text: string) => {
    if (text === "") return t("users:user.conflictNone");
    if (field === "status") return t(`users:people.status.${text as "ACTIVATED"}`);
    if (field === "role") return t(`users:people.role.${text as "user"}`);
    if (field === "language") return t(`account:profile.languageName.${text as "ja"}`);
    return field === "storageLimit" ? `${text} ${t("users:user.gigabytes")}` : text;
  };
  return (
    <ConflictTable
      title={inTrash ? t("users:user.trashedTitle") : t("users:user.conflictTitle")}
      text={inTrash ? t("users:user.trashedText") : t("users:user.conflictText")}
      heads={[t("users:user.conflictField"), t("users:user.conflictSaved"), t("users:user.conflictYours")]}
      rows={rows.map(({ field, saved, yours }) => ({
        field,
        label: t(LABELS[field]),
        saved: formatValue(field, saved),
        yours: formatValue(field, yours),
      }))}
      savedLink={{ href: reloadHref, label: t("users:user.conflictUseSaved") }}
    />
  );
}
