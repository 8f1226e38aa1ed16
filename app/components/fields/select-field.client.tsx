import { Combobox, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions } from "@headlessui/react";
import { type RefObject, useEffect, useState } from "react";
import { searchKey } from "~/domain/shared/text";
import { useTranslation } from "~/i18n/translation";
import { Icon } from "../icon";
import { menuItem, menuPanel } from "../menus/menu";
import type { controlProps } from "./field";
import { setNativeValue } from "./native-value";
import type { Option } from "./select-field";

export interface EnhancedComboboxProps {
  /** The native element, which holds the value. */
  readonly select: RefObject<HTMLSelectElement>;
  readonly options: readonly Option[];
  /** Text of a search that finds no option. */
  readonly emptyText?: string;
  readonly control: ReturnType<typeof controlProps>;
  readonly required?: boolean;
}

/** A combobox of Headless UI over a native select: typing filters the options, Esc restores the value. */
export function EnhancedCombobox({ select, options, emptyText, control, required }: EnhancedComboboxProps) {
  const [value, setValue] = useState(() => select.current?.value ?? "");
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  useEffect(() => {
    const { current } = select;
    const read = () => setValue(current?.value ?? "");
    // The browser resets the fields after this event.
    const onReset = () => setTimeout(read);
    const form = current?.form;
    current?.addEventListener("change", read);
    form?.addEventListener("reset", onReset);
    return () => {
      current?.removeEventListener("change", read);
      form?.removeEventListener("reset", onReset);
    };
  }, [select]);
  // The browser chooses another option when the chosen one goes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options may change the native element's value
  useEffect(() => setValue(select.current?.value ?? ""), [select, options]);
  const key = searchKey(query);
  const matches = options.filter(({ label, words = "" }) => searchKey(`${label} ${words}`).includes(key));
  return (
    <Combobox
      value={value}
      immediate
      onChange={(next) => {
        // Clearing the text does not change the choice.
        if (next !== null && select.current) setNativeValue(select.current, next);
      }}
      onClose={() => setQuery("")}
    >
      <ComboboxInput
        {...control}
        aria-required={required}
        displayValue={(shown: string) => options.find((option) => option.value === shown)?.label ?? ""}
        onChange={(event) => setQuery(event.target.value)}
        onFocus={(event) => event.target.select()}
        autoComplete="off"
        spellCheck={false}
        className="control pr-10"
      />
      {/* Covers the arrow that the style sheet draws. Keyboards and screen readers open the list from the text field. */}
      <ComboboxButton aria-hidden className="absolute inset-y-0 right-0 w-10" />
      <ComboboxOptions
        modal={false}
        anchor={{ to: "bottom start", gap: 4, padding: 8 }}
        className={`max-h-72! w-(--input-width) ${menuPanel}`}
      >
        {matches.map((option) => (
          <ComboboxOption
            key={option.value}
            value={option.value}
            disabled={option.disabled}
            className={`group/option cursor-pointer data-focus:bg-ink/7 data-disabled:cursor-not-allowed data-disabled:text-faint ${menuItem}`}
          >
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{option.label}</span>
            <Icon
              name="check"
              size={16}
              className="invisible text-accent group-data-selected/option:visible"
            />
          </ComboboxOption>
        ))}
        {matches.length === 0 && (
          <ComboboxOption value="" disabled className={`text-muted ${menuItem}`}>
            {emptyText ?? t("shared-owners:nothingFound")}
          </ComboboxOption>
        )}
      </ComboboxOptions>
    </Combobox>
  );
}
