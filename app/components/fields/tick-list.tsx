import { CheckboxField } from "./checkbox-field";
import { FieldGroup, type FieldProps, fieldIds } from "./field";

/** A checkbox of the list. */
export interface TickOption {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export interface TickListProps extends FieldProps {
  readonly name: string;
  readonly id?: string;
  readonly options: readonly TickOption[];
  /** Values of the initially checked options. */
  readonly defaultValues: readonly string[];
}

/**
 * A list of checkboxes: `<TickList name="types" label=… options={[{ value, label }]} defaultValues={[]} />`. It posts one value for each checked
 * option.
 */
export function TickList({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  options,
  defaultValues,
}: TickListProps) {
  const ids = fieldIds(id, { hint, error });
  return (
    <FieldGroup label={label} hint={hint} error={error} required={required} ids={ids}>
      <div className="grid gap-1">
        {options.map((option, index) => (
          <CheckboxField
            key={option.value}
            name={name}
            id={index === 0 ? id : `${id}-${option.value}`}
            value={option.value}
            label={option.label}
            hint={option.hint}
            defaultChecked={defaultValues.includes(option.value)}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
