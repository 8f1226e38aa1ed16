import type { UserField } from "~/domain/user.schema";
import { ConflictTable } from "~/forms/conflict-table";
import { useTranslation } from "~/i18n/use-translation";

const LABELS = {
  email: "admin.user.email",
  lastName: "admin.user.lastName",
  firstName: "admin.user.firstName",
  companyName: "admin.user.company",
  role: "admin.user.role",
  status: "admin.user.status",
  spaceLicense: "admin.user.spaceLicense",
  storageLimit: "admin.user.storageLimit",
  language: "admin.user.language",
  timeZone: "admin.user.timeZone",
} as const satisfies Record<UserField, string>;

export interface UserConflictProps {
  readonly rows: readonly { readonly field: UserField; readonly saved: string; readonly yours: string }[];
  /** The account was moved to the trash, and saving takes it out. */
  readonly inTrash: boolean;
  readonly reloadHref: string;
}

/** Both versions of an account that two administrators saved. */
export function UserConflict({ rows, inTrash, reloadHref }: UserConflictProps) {
  const { t } = useTranslation();
  const value = (field: UserField, text: string) => {
    if (text === "") return t("admin.user.conflictNone");
    if (field === "status") return t(`people.status.${text as "ACTIVATED"}`);
    if (field === "role") return t(`people.role.${text as "user"}`);
    if (field === "language") return t(`account.profile.languageName.${text as "ja"}`);
    return field === "storageLimit" ? `${text} ${t("admin.user.gigabytes")}` : text;
  };
  return (
    <ConflictTable
      title={inTrash ? t("admin.user.trashedTitle") : t("admin.user.conflictTitle")}
      text={inTrash ? t("admin.user.trashedText") : t("admin.user.conflictText")}
      heads={[t("admin.user.conflictField"), t("admin.user.conflictSaved"), t("admin.user.conflictYours")]}
      rows={rows.map(({ field, saved, yours }) => ({
        field,
        label: t(LABELS[field]),
        saved: value(field, saved),
        yours: value(field, yours),
      }))}
      takeSaved={{ href: reloadHref, label: t("admin.user.conflictTakeSaved") }}
    />
  );
}
