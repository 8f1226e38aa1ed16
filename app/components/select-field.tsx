import type { ComponentPropsWithoutRef } from "react";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface SelectFieldProps
  extends Omit<ComponentPropsWithoutRef<"select">, "required" | "children" | "multiple" | "name">,
    FieldProps {
  readonly name: string;
  readonly options: readonly Option[];
}

/** A choice from a list: `<SelectField name="lang" label=… options={[{ value, label }]} defaultValue="ja" />`. */
export function SelectField({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  options,
  className,
  ...rest
}: SelectFieldProps) {
  const ids = fieldIds(id, { hint, error });
  return (
    <Field {...{ label, hint, error, required, ids, className }}>
      <div className="select">
        <select name={name} required={required} {...controlProps(ids, error)} {...rest} className="control">
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    </Field>
  );
}
