import { useRef } from "react";
import { useEnhanced } from "./enhanced";
import { controlProps, Field, fieldIds } from "./field";
import type { SelectFieldProps } from "./select-field";

/**
 * A choice from a list that may be long: `<ComboboxField name="groupId" label=… options={[{ value, label }]} />`. The server renders a
 * `<select>`. With scripts a combobox of Headless UI stands in its place, which finds options by any part of their label. The select stays
 * underneath: it is what the form sends and what a reset of the form restores.
 */
export function ComboboxField({
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
  const host = useRef<HTMLDivElement>(null);
  const select = useRef<HTMLSelectElement>(null);
  const enhanced = useEnhanced(host);
  return (
    <Field {...{ label, hint, error, required, ids, className }}>
      <div ref={host} className="select">
        <select
          ref={select}
          name={name}
          {...(enhanced ? { hidden: true } : { required, ...controlProps(ids, error) })}
          {...rest}
          className="control"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        {enhanced && (
          <enhanced.EnhancedCombobox {...{ select, options }} control={controlProps(ids, error)} />
        )}
      </div>
    </Field>
  );
}
