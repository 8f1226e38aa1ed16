import { Combobox, ComboboxInput, ComboboxOption } from "@headlessui/react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../cx";
import { ComboboxList, ComboboxNote, comboboxOptionClasses } from "./combobox-list.client";
import { FieldError } from "./field";
import { type FindMatches, useMatches } from "./use-matches";

/** The option that displays a result. */
export interface SearchOption {
  readonly key: string;
  readonly content: ReactNode;
  /** Whether the option cannot be chosen, for example because it was already chosen. */
  readonly isDisabled?: boolean;
}

/** Props with which a search field finds, displays and handles its results. */
export interface ResultProps<T> {
  readonly find: FindMatches<T>;
  readonly toOption: (match: T) => SearchOption;
  /** Handles the chosen result, and returns the message that is announced. */
  readonly onPick: (match: T) => string;
  /** Returns the text that is displayed when a search has no results. */
  readonly emptyText: (query: string) => string;
  /** Label of the last option if there are further results. Choosing it submits the form, which must open a page with all results. */
  readonly showAllLabel?: string;
}

export interface EnhancedSearchFieldProps<T> extends ResultProps<T> {
  /** Attributes of the native field. */
  readonly control: {
    readonly name: string;
    readonly id: string;
    readonly placeholder?: string;
    readonly maxLength?: number;
    readonly className: string;
  };
  /** Text of the native field that this component replaces. */
  readonly text: string;
}

/** Value of an option. Choosing the option calls `choose`; the combobox itself has no value. */
interface Choice {
  readonly choose: () => void;
}
const NO_CHOICES: Choice[] = [];

/** A search field based on Headless UI's combobox. Several results can be chosen one after the other. */
export function EnhancedSearchField<T>(props: EnhancedSearchFieldProps<T>) {
  return (
    // With `multiple`, Tab and a press outside of the list choose no option.
    <Combobox<Choice, true> multiple value={NO_CHOICES} onChange={([choice]) => choice?.choose()}>
      {/* The props are one object, because Headless UI wraps each property of this element whose name begins with "on", such as onPick. */}
      {({ open }) => <SearchCombobox search={props} isOpen={open} />}
    </Combobox>
  );
}

interface SearchProps<T> {
  readonly search: EnhancedSearchFieldProps<T>;
  readonly isOpen: boolean;
}

function SearchCombobox<T>({ search, isOpen }: SearchProps<T>) {
  const { control, text, find, toOption, onPick, emptyText, showAllLabel } = search;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const hostElement = useRef<HTMLElement | null>(null);
  const [query, setQuery] = useState(text);
  const [isComposing, setComposing] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const trimmedQuery = query.trim();
  const { matches, isPending, searchNow } = useMatches(
    find,
    isOpen && !isComposing ? trimmedQuery : null,
    t("shared-owners:lost.notSent"),
  );
  const problem = matches?.problem;
  const count = matches?.options.length ?? 0;
  const submit = () => input.current?.form?.requestSubmit();
  const pick = (match: T) => {
    setAnnouncement(onPick(match));
    // The text is selected, so that the next typed text replaces it.
    input.current?.select();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !isOpen) return;
    // While an input method is composing, Enter confirms its conversion.
    const isComposingText = event.nativeEvent.isComposing || event.keyCode === 229;
    if (!isComposingText && !isPending && !problem) return;
    event.preventDefault();
    if (isComposingText) return;
    // Enter must not choose a result of an older text, so it starts the search at once. After a failure, it submits the form, which opens the page of
    // results.
    if (isPending) searchNow();
    else submit();
  };
  return (
    <>
      <ComboboxInput
        {...control}
        ref={(element: HTMLInputElement | null) => {
          Object.assign(input, { current: element });
          hostElement.current = element?.parentElement ?? null;
        }}
        type="search"
        spellCheck={false}
        defaultValue={text}
        displayValue={() => query}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setQuery(event.target.value);
          setComposing((event.nativeEvent as InputEvent).isComposing);
          setAnnouncement("");
        }}
        onCompositionEnd={() => setComposing(false)}
      />
      {!problem && (
        <ComboboxList host={hostElement}>
          {matches?.options.map((match) => {
            const { key, content, isDisabled } = toOption(match);
            return (
              <ComboboxOption
                key={key}
                value={{ choose: () => pick(match) }}
                disabled={isDisabled}
                className={comboboxOptionClasses}
              >
                {content}
              </ComboboxOption>
            );
          })}
          {count === 0 && (
            <ComboboxNote>{isPending ? t("shared-owners:searching") : emptyText(trimmedQuery)}</ComboboxNote>
          )}
          {matches?.hasMore &&
            (showAllLabel === undefined ? (
              <ComboboxNote>{t("shared-owners:moreMatches")}</ComboboxNote>
            ) : (
              <ComboboxOption
                value={{ choose: submit }}
                className={cx("font-semibold text-accent", comboboxOptionClasses)}
              >
                {showAllLabel}
              </ComboboxOption>
            ))}
        </ComboboxList>
      )}
      <div role="status" className={problem ? "pt-1.5" : "sr-only"}>
        {problem ? (
          <FieldError>{problem}</FieldError>
        ) : (
          announcement ||
          (isOpen &&
            !isPending &&
            (count === 0 ? emptyText(trimmedQuery) : t("shared-owners:matches", { count })))
        )}
      </div>
    </>
  );
}
