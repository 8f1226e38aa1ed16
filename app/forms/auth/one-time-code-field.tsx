import { TextField } from "~/components/fields/text-field";
import { useFieldProps } from "../shared/form-parts";

export interface OneTimeCodeFieldProps {
  readonly field: Parameters<ReturnType<typeof useFieldProps>>[0];
  readonly label: string;
  readonly hint: string;
  /** Whether recovery codes, which contain letters, are accepted as well. */
  readonly takesRecoveryCodes?: boolean;
  readonly autoFocus?: boolean;
}

/** Field for a code of an authenticator app. A submitted code is never filled in again. */
export function OneTimeCodeField(props: OneTimeCodeFieldProps) {
  const { field, label, hint, takesRecoveryCodes = false, autoFocus = false } = props;
  const fieldProps = useFieldProps();
  return (
    <TextField
      {...fieldProps(field)}
      defaultValue=""
      label={label}
      hint={hint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      inputMode={takesRecoveryCodes ? undefined : "numeric"}
      autoFocus={autoFocus}
      required
    />
  );
}
