import { PasswordField } from "~/components/fields/password-field";
import { useTranslation } from "~/i18n/translation";
import { useFieldProps } from "../shared/form-parts";

export interface CurrentPasswordProps {
  readonly field: Parameters<ReturnType<typeof useFieldProps>>[0];
  /** Email address of the account, by which password managers find the password. */
  readonly email: string;
}

/** Requires the current password before a security-relevant change. */
export function CurrentPassword({ field, email }: CurrentPasswordProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  return (
    <>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...fieldProps(field)}
        defaultValue=""
        label={t("shared-owners:confirm.currentPassword")}
        hint={t("shared-owners:confirm.hint")}
        autoComplete="current-password"
        required
      />
    </>
  );
}
