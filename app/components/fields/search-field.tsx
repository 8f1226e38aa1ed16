import { type ReactNode, useEffect, useRef } from "react";
import { focusField } from "../focus-field";
import { useReplacements } from "../menus/use-replacements";
import { Field, type FieldProps, fieldIds } from "./field";
import type { ResultProps } from "./search-field.client";

interface SearchFieldProps<T> extends Pick<FieldProps, "label" | "hint">, ResultProps<T> {
  readonly name: string;
  readonly id?: string;
  readonly defaultValue?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** Whether the label is visible only to screen readers. */
  readonly isLabelHidden?: boolean;
  /** Whether the field receives the focus when it appears. */
  readonly takesFocus?: boolean;
  /** The form's submit button. */
  readonly children: ReactNode;
}

/**
 * The text field of a search whose results can be chosen directly: `<Form method="get"><SearchField name="find" find=…
 * onPick=…>…</SearchField></Form>`. Without scripts, the form opens a page of results. Scripts replace the field by a combobox of Headless UI that
 * shows results while the user types; the form still works.
 */
export function SearchField<T>(props: SearchFieldProps<T>) {
  const { name, id = name, label, hint, isLabelHidden, takesFocus, children } = props;
  const host = useRef<HTMLDivElement>(null);
  const nativeInput = useRef<HTMLInputElement>(null);
  const replacements = useReplacements(host);
  useEffect(() => {
    const field = takesFocus && host.current?.querySelector("input");
    if (field && document.activeElement !== field) focusField(field, { preventScroll: true });
  }, [takesFocus]);
  const ids = fieldIds(id, { hint, error: null });
  const control = {
    name,
    id,
    placeholder: props.placeholder,
    maxLength: props.maxLength,
    "aria-describedby": ids.describedBy,
    autoComplete: "off",
    className: "control",
  } as const;
  return (
    <Field label={label} hint={hint} ids={ids} isLabelHidden={isLabelHidden}>
      <div ref={host} className="flex flex-wrap gap-2">
        <div className="relative min-w-0 flex-1">
          {replacements ? (
            <replacements.EnhancedSearchField
              {...props}
              control={control}
              text={nativeInput.current?.value ?? ""}
            />
          ) : (
            <input ref={nativeInput} type="search" defaultValue={props.defaultValue} {...control} />
          )}
        </div>
        {children}
      </div>
    </Field>
  );
}
