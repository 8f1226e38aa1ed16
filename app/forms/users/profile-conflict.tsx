import type { ProfileField } from "~/domain/auth/profile.schema";
import { isLang } from "~/domain/shared/lang";
import { useTranslation } from "~/i18n/translation";
import { ConflictTable } from "../shared/conflict-table";

export interface ProfileConflictProps {
  readonly rows: readonly {
    readonly field: ProfileField;
    readonly saved: string | boolean;
    readonly yours: string | boolean;
  }[];
  /** URL of the page without the typed values. */
  readonly reloadHref: string;
}

/** Shows the saved version of a profile and this form's version after an edit conflict. */
export function ProfileConflict({ rows, reloadHref }: ProfileConflictProps) {
  const { t } = useTranslation();
  const formatValue = (field: ProfileField, value: string | boolean) => {
    if (typeof value === "boolean")
      return t(value ? "account:profile.statusMailsOn" : "account:profile.statusMailsOff");
    return field === "language" && isLang(value)
      ? t(`account:profile.languageName.${value}`)
      : value || t("account:none");
  };
  return (
    <ConflictTable
      title={t("account:profile.conflictTitle")}
      text={t("account:profile.conflictText")}
      heads={[
        t("account:profile.conflictField"),
        t("account:profile.conflictSaved"),
        t("account:profile.conflictYours"),
      ]}
      rows={rows.map(({ field, saved, yours }) => ({
        field,
        label: t(`account:profile.${field}`),
        saved: formatValue(field, saved),
        yours: formatValue(field, yours),
      }))}
      savedLink={{ href: reloadHref, label: t("account:profile.useSaved") }}
    />
  );
}
