import { type ComponentPropsWithoutRef, type ReactNode, type RefObject, useRef, useState } from "react";
import { useReplacements } from "../menus/use-replacements";
import type { ServerSearchProps } from "./combobox.client";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";
import { type Option, optionText } from "./option";

export interface SelectFieldProps
  extends Omit<ComponentPropsWithoutRef<"select">, "required" | "children" | "multiple" | "name">,
    FieldProps {
  readonly name: string;
  readonly options: readonly Option[];
  /** Text while no option is selected. The browser does not check that one was selected, even if the field is required; the server must. */
  readonly placeholder?: string;
  /** Text of a combobox when no option matches. */
  readonly emptyText?: string;
}

export interface ComboboxFieldProps extends SelectFieldProps, ServerSearchProps {}

/** Props with which a ComboboxField replaces its select. */
interface EnhancementProps extends ServerSearchProps {
  readonly host?: RefObject<HTMLDivElement>;
  readonly replacements?: ReturnType<typeof useReplacements>;
  /** Adds an option that was found on the server to the select. */
  readonly onFound?: (option: Option) => void;
}

/** A field for choosing from a list: `<SelectField name="lang" label=… options={[{ value, label }]} defaultValue="ja" />`. */
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
  replacements,
  find,
  hasMore,
  onFound,
  ...rest
}: SelectFieldProps & EnhancementProps) {
  const ids = fieldIds(id, { hint, error });
  const control = controlProps(ids, error);
  const select = useRef<HTMLSelectElement>(null);
  return (
    <Field label={label} hint={hint} error={error} required={required} ids={ids} className={className}>
      <div ref={host} className="select">
        <select
          ref={select}
          name={name}
          {...(replacements
            ? { hidden: true }
            : { required: required && placeholder === undefined, ...control })}
          {...rest}
          className="control"
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {optionText(option)}
              {option.disabledReason && ` (${option.disabledReason})`}
            </option>
          ))}
        </select>
        {replacements && host && (
          <replacements.EnhancedCombobox
            host={host}
            select={select}
            options={options}
            placeholder={placeholder}
            emptyText={emptyText}
            control={control}
            required={required}
            find={find}
            hasMore={hasMore}
            onFound={onFound}
          />
        )}
      </div>
    </Field>
  );
}

/**
 * A field for choosing from a list that may be long: `<ComboboxField name="groupId" label=… options={[{ value, label }]} />`. Scripts replace the
 * select by a combobox of Headless UI, which finds options by any part of their text. The hidden select keeps the value that the form posts and
 * resets.
 */
export function ComboboxField({ options, ...props }: ComboboxFieldProps) {
  const host = useRef<HTMLDivElement>(null);
  const [foundOptions, setFoundOptions] = useState<readonly Option[]>([]);
  const additionalOptions = foundOptions.filter(({ value }) =>
    options.every((option) => option.value !== value),
  );
  return (
    <SelectField
      {...props}
      options={additionalOptions.length > 0 ? [...options, ...additionalOptions] : options}
      onFound={(option) => setFoundOptions((previousOptions) => [...previousOptions, option])}
      host={host}
      replacements={useReplacements(host)}
    />
  );
}

/**
 * A field with radio buttons without scripts, and a combobox with scripts: `<ScriptedCombobox …>radio buttons of the same
 * name</ScriptedCombobox>`. Without scripts, the hidden select posts a second value after that of the radio buttons. The server must use the first
 * value.
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
