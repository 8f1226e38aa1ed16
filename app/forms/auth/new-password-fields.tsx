import { PasswordField } from "~/components/fields/password-field";
import { useFieldProps } from "../shared/form-parts";

/** Fields for a new password and its confirmation. */
export function NewPasswordFields({
  fields,
  label,
  hint,
  confirmationLabel,
}: {
  readonly fields: Readonly<
    Record<"password" | "passwordConfirmation", Parameters<ReturnType<typeof useFieldProps>>[0]>
  >;
  readonly label: string;
  readonly hint: string;
  readonly confirmationLabel: string;
}) {
  const fieldProps = useFieldProps();
  const commonProps = { defaultValue: "", autoComplete: "new-password" as const, required: true };
  return (
    <>
      <PasswordField {...fieldProps(fields.password)} {...commonProps} label={label} hint={hint} />
      <PasswordField
        {...fieldProps(fields.passwordConfirmation)}
        {...commonProps}
        label={confirmationLabel}
      />
    </>
  );
}
