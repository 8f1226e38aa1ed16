import { type ComponentPropsWithoutRef, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import { IconButton } from "../button";
import { useHydrated } from "../use-hydrated";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";

export interface PasswordFieldProps
  extends Omit<ComponentPropsWithoutRef<"input">, "required" | "type" | "children" | "name">,
    FieldProps {
  readonly name: string;
  readonly autoComplete: "current-password" | "new-password" | "off";
}

/** A password field: `<PasswordField name="password" label=… autoComplete="current-password" />`. Scripts add a button that shows the password. */
export function PasswordField({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  className,
  ...rest
}: PasswordFieldProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [isVisible, setVisible] = useState(false);
  const ids = fieldIds(id, { hint, error });
  return (
    <Field label={label} hint={hint} error={error} required={required} ids={ids} className={className}>
      <div className="relative">
        <input
          type={isVisible ? "text" : "password"}
          name={name}
          required={required}
          autoCapitalize="none"
          spellCheck={false}
          {...controlProps(ids, error)}
          {...rest}
          className="control pr-11"
        />
        {hydrated && (
          <IconButton
            icon={isVisible ? "eye-off" : "eye"}
            label={isVisible ? t("shared:hidePassword") : t("shared:showPassword")}
            aria-pressed={isVisible}
            aria-controls={ids.id}
            onClick={() => setVisible(!isVisible)}
            className="absolute top-0 right-0 text-muted"
          />
        )}
      </div>
    </Field>
  );
}
