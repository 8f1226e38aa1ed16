import { CheckboxField } from "./checkbox-field";
import { errorsOf, FieldErrors, type FieldProps, fieldIds, RequiredMark } from "./field";

export interface Tick {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export interface TickListProps extends FieldProps {
  readonly name: string;
  readonly id?: string;
  readonly options: readonly Tick[];
  readonly defaultValues: readonly string[];
}

/** Any of a few: `<TickList name="types" label=… options={[{ value, label }]} defaultValues={[]} />`. The field is sent once for each that is chosen. */
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
    <fieldset
      aria-describedby={ids.describedBy}
      aria-invalid={errorsOf(error).length > 0 ? true : undefined}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend className="mb-1.5 flex items-baseline gap-2 text-sm font-semibold">
        {label}
        {required && <RequiredMark />}
      </legend>
      {hint && (
        <p id={ids.hintId} className="-mt-1 text-xs text-muted text-phrase">
          {hint}
        </p>
      )}
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
      <FieldErrors id={ids.errorId} error={error} />
    </fieldset>
  );
}
