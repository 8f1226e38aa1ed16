import { type ComponentPropsWithoutRef, type RefObject, useRef } from "react";
import { useEnhanced } from "../menus/enhanced";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
  /** Further words by which a combobox finds the option. */
  readonly words?: string;
}

export interface SelectFieldProps
  extends Omit<ComponentPropsWithoutRef<"select">, "required" | "children" | "multiple" | "name">,
    FieldProps {
  readonly name: string;
  readonly options: readonly Option[];
  /** Text of a combobox that finds no option. */
  readonly emptyText?: string;
}

interface Enhanced {
  readonly host?: RefObject<HTMLDivElement>;
  readonly enhanced?: ReturnType<typeof useEnhanced>;
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
  emptyText,
  className,
  host,
  enhanced,
  ...rest
}: SelectFieldProps & Enhanced) {
  const ids = fieldIds(id, { hint, error });
  const control = controlProps(ids, error);
  const select = useRef<HTMLSelectElement>(null);
  return (
    <Field {...{ label, hint, error, required, ids, className }}>
      <div ref={host} className="select">
        <select
          ref={select}
          name={name}
          {...(enhanced ? { hidden: true } : { required, ...control })}
          {...rest}
          className="control"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        {enhanced && <enhanced.EnhancedCombobox {...{ select, options, emptyText, control, required }} />}
      </div>
    </Field>
  );
}

/**
 * A choice from a list that may be long: `<ComboboxField name="groupId" label=… options={[{ value, label }]} />`. Scripts show a combobox
 * of Headless UI, which finds options by any part of their label, in place of the select. The hidden select still holds the value that the
 * form posts and resets.
 */
export function ComboboxField(props: SelectFieldProps) {
  const host = useRef<HTMLDivElement>(null);
  return <SelectField {...props} host={host} enhanced={useEnhanced(host)} />;
}
