import { type ComponentPropsWithoutRef, type ReactNode, type RefObject, useRef, useState } from "react";
import { useEnhanced } from "../menus/enhanced";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";
import type { FindMatches } from "./use-matches";

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Text that distinguishes options of the same label, such as the path of a folder. */
  readonly detail?: string;
  /** Reason why the option is disabled. */
  readonly note?: string | null;
  readonly disabled?: boolean;
  /** Further words by which a combobox finds the option. */
  readonly words?: string;
}

/** Text of an option in one line. */
export const optionText = ({ label, detail }: Option): string => (detail ? `${label} · ${detail}` : label);

export interface SelectFieldProps
  extends Omit<ComponentPropsWithoutRef<"select">, "required" | "children" | "multiple" | "name">,
    FieldProps {
  readonly name: string;
  readonly options: readonly Option[];
  /** Text before anything is chosen. The server then checks that something is. */
  readonly placeholder?: string;
  /** Text of a combobox that finds no option. */
  readonly emptyText?: string;
}

export interface ComboboxFieldProps extends SelectFieldProps {
  /** Finds further options on the server, by the typed text. */
  readonly find?: FindMatches<Option>;
  /** Whether there are more than the given options. */
  readonly isMore?: boolean;
}

interface Enhanced extends Pick<ComboboxFieldProps, "find" | "isMore"> {
  readonly host?: RefObject<HTMLDivElement>;
  readonly enhanced?: ReturnType<typeof useEnhanced>;
  /** Adds a found option to the select. */
  readonly onFound?: (option: Option) => void;
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
  placeholder,
  emptyText,
  className,
  host,
  enhanced,
  find,
  isMore,
  onFound,
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
          {...(enhanced ? { hidden: true } : { required: required && placeholder === undefined, ...control })}
          {...rest}
          className="control"
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {optionText(option)}
              {option.note && ` (${option.note})`}
            </option>
          ))}
        </select>
        {enhanced && host && (
          <enhanced.EnhancedCombobox
            {...{ host, select, options, placeholder, emptyText, control, required, find, isMore, onFound }}
          />
        )}
      </div>
    </Field>
  );
}

/**
 * A choice from a list that may be long: `<ComboboxField name="groupId" label=… options={[{ value, label }]} />`. Scripts show a combobox
 * of Headless UI, which finds options by any part of their text, in place of the select. The hidden select still holds the value that the
 * form posts and resets.
 */
export function ComboboxField({ options, ...props }: ComboboxFieldProps) {
  const host = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<readonly Option[]>([]);
  const further = found.filter(({ value }) => options.every((option) => option.value !== value));
  return (
    <SelectField
      {...props}
      options={further.length > 0 ? [...options, ...further] : options}
      onFound={(option) => setFound((before) => [...before, option])}
      host={host}
      enhanced={useEnhanced(host)}
    />
  );
}

/**
 * A choice that is made by radio buttons without scripts, and by a combobox with them: `<ScriptedCombobox {...comboboxProps}>radio buttons of
 * the same name</ScriptedCombobox>`. Without scripts the hidden select posts a second value after that of the radio buttons, which counts.
 */
export function ScriptedCombobox({
  children,
  ...props
}: ComboboxFieldProps & { readonly children: ReactNode }) {
  return (
    <>
      <noscript>{children}</noscript>
      <div className="needs-script">
        <ComboboxField {...props} />
      </div>
    </>
  );
}
