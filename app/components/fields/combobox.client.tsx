import { Combobox, ComboboxButton, ComboboxInput, ComboboxOption } from "@headlessui/react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { searchKey } from "~/domain/shared/text";
import { useTranslation } from "~/i18n/translation";
import { Icon } from "../icon";
import { ComboboxList, ComboboxNote, comboboxOptionClasses } from "./combobox-list.client";
import type { controlProps } from "./field";
import { type Option, optionText } from "./option";
import { setNativeValue } from "./set-native-value";
import { type FindMatches, useMatches } from "./use-matches";

/** Props with which a combobox finds options that are not in the page. */
export interface ServerSearchProps {
  /** Searches the server for further options that match the typed text. */
  readonly find?: FindMatches<Option>;
  /** Whether there are further options on the server. */
  readonly hasMore?: boolean;
}

export interface EnhancedComboboxProps extends ServerSearchProps {
  readonly options: readonly Option[];
  readonly placeholder?: string;
  /** Text when no option matches. */
  readonly emptyText?: string;
  readonly required?: boolean;
  /** Element around the native field and its replacement. */
  readonly host: RefObject<HTMLElement>;
  /** The native select, which has the value. */
  readonly select: RefObject<HTMLSelectElement>;
  readonly control: ReturnType<typeof controlProps>;
  /** Adds an option that was found on the server to the native select. */
  readonly onFound?: (option: Option) => void;
}

/** A combobox of Headless UI that replaces a native select. Typing finds options; Esc restores the text of the selected option. */
export function EnhancedCombobox(props: EnhancedComboboxProps) {
  const { select, options, onFound } = props;
  const [value, setValue] = useState(() => select.current?.value ?? "");
  const [query, setQuery] = useState("");
  // The list does not open when a dialog focuses the field.
  const [opensOnFocus, setOpensOnFocus] = useState(false);
  useEffect(() => setOpensOnFocus(true), []);
  useEffect(() => {
    const { current } = select;
    const readValue = () => setValue(current?.value ?? "");
    // The browser resets the fields only after this event.
    const onReset = () => setTimeout(readValue);
    const form = current?.form;
    current?.addEventListener("change", readValue);
    form?.addEventListener("reset", onReset);
    return () => {
      current?.removeEventListener("change", readValue);
      form?.removeEventListener("reset", onReset);
    };
  }, [select]);
  // The browser selects another option when the selected one is removed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options may change the native element's value
  useEffect(() => setValue(select.current?.value ?? ""), [select, options]);
  const chosenOption = options.find((option) => option.value === value) ?? null;
  return (
    <Combobox<Option | null>
      value={chosenOption}
      by="value"
      immediate={opensOnFocus}
      onChange={(next) => {
        // Clearing the text does not change the selected option.
        if (next === null || !select.current) return;
        if (options.every((option) => option.value !== next.value)) flushSync(() => onFound?.(next));
        setNativeValue(select.current, next.value);
      }}
      onClose={() => setQuery("")}
    >
      {({ open }) => <Search {...props} query={query} setQuery={setQuery} isOpen={open} />}
    </Combobox>
  );
}

interface SearchProps extends EnhancedComboboxProps {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly isOpen: boolean;
}

function Search({
  host,
  options,
  placeholder,
  emptyText,
  control,
  required,
  find,
  hasMore: hasMoreOptions = false,
  query,
  setQuery,
  isOpen,
}: SearchProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const typedText = query.trim();
  const usesServer = find !== undefined && typedText !== "";
  const search = useMatches(find, isOpen && usesServer ? typedText : null, t("shared-owners:lost.notSent"));
  const isPending = usesServer && search.isPending;
  const key = searchKey(typedText);
  const isMatch = (option: Option) =>
    searchKey(`${optionText(option)} ${option.searchTerms ?? ""}`).includes(key);
  const matchingOptions = options.filter(isMatch);
  const foundOptions = usesServer ? (search.matches?.options ?? []) : [];
  // While a search is running, the previous results that match the new text stay visible.
  const furtherOptions = (isPending ? foundOptions.filter(isMatch) : foundOptions).filter(({ value }) =>
    matchingOptions.every((option) => option.value !== value),
  );
  const visibleOptions = [...matchingOptions, ...furtherOptions];
  const count = visibleOptions.length;
  const problem = usesServer && search.matches?.problem;
  const hasMore = usesServer ? search.matches?.hasMore : hasMoreOptions;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !isOpen || !isPending || count > 0 || event.nativeEvent.isComposing) return;
    event.preventDefault();
    search.searchNow();
  };
  const emptyListText = isPending
    ? t("shared-owners:searching")
    : (emptyText ?? t("shared-owners:nothingFound"));
  return (
    <>
      <ComboboxInput
        {...control}
        aria-required={required}
        displayValue={(option: Option | null) => (option ? optionText(option) : "")}
        placeholder={placeholder}
        onKeyDown={onKeyDown}
        onChange={(event) => setQuery(event.target.value)}
        onFocus={(event) => event.target.select()}
        onClick={() => {
          // A click in the text field does not open Headless UI's list, but a press of its button does.
          const press = new PointerEvent("pointerdown", { bubbles: true, pointerType: "mouse" });
          if (!isOpen) button.current?.dispatchEvent(press);
        }}
        autoComplete="off"
        spellCheck={false}
        className="control pr-10"
      />
      {/* Covers the arrow that the style sheet draws. Keyboards and screen readers open the list from the text field. */}
      <ComboboxButton ref={button} aria-hidden className="absolute inset-y-0 right-0 w-10" />
      <ComboboxList host={host}>
        {visibleOptions.map((option) => (
          <ComboboxOption
            key={option.value}
            value={option}
            disabled={option.disabled}
            className={comboboxOptionClasses}
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              {option.label}
              {option.detail && <span className="block text-xs text-muted">{option.detail}</span>}
            </span>
            {option.disabledReason && (
              <span className="shrink-0 text-xs text-muted">{option.disabledReason}</span>
            )}
            <Icon
              name="check"
              size={16}
              className="invisible text-accent group-data-selected/option:visible"
            />
          </ComboboxOption>
        ))}
        {problem && <ComboboxNote>{problem}</ComboboxNote>}
        {!problem && count === 0 && <ComboboxNote>{emptyListText}</ComboboxNote>}
        {count > 0 && hasMore && <ComboboxNote>{t("shared-owners:moreMatches")}</ComboboxNote>}
      </ComboboxList>
      <p role="status" className="sr-only">
        {isOpen &&
          !isPending &&
          (problem || (count === 0 && emptyListText) || t("shared-owners:matches", { count }))}
      </p>
    </>
  );
}
