import { Combobox, ComboboxInput, ComboboxOption } from "@headlessui/react";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../classes";
import { ComboboxList, ComboboxNote, comboboxOption } from "./combobox-list.client";
import { FieldError } from "./field";
import type { SearchFieldProps } from "./search-field";
import { useMatches } from "./use-matches";

export interface EnhancedSearchFieldProps<T>
  extends Pick<SearchFieldProps<T>, "find" | "toOption" | "onPick" | "emptyText" | "allText"> {
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

/** Choosing an option calls a function. The combobox itself has no value. */
interface Choice {
  readonly choose: () => void;
}
const NO_CHOICES: Choice[] = [];

/** A search field based on Headless UI's combobox. Several results can be chosen one after the other. */
export function EnhancedSearchField<T>(props: EnhancedSearchFieldProps<T>) {
  return (
    // With `multiple`, Tab and a press outside of the list choose no option.
    <Combobox<Choice, true> multiple value={NO_CHOICES} onChange={([choice]) => choice?.choose()}>
      {/* Headless UI wraps properties of this element whose names begin with "on". */}
      {({ open }) => <Search search={props} isOpen={open} />}
    </Combobox>
  );
}

interface SearchProps<T> {
  readonly search: EnhancedSearchFieldProps<T>;
  readonly isOpen: boolean;
}

function Search<T>({ search, isOpen }: SearchProps<T>) {
  const { control, text, find, toOption, onPick, emptyText, allText } = search;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLElement | null>(null);
  const [query, setQuery] = useState(text);
  const [isComposing, setComposing] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const typedText = query.trim();
  const { matches, isPending, searchNow } = useMatches(
    find,
    isOpen && !isComposing ? typedText : null,
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
    // With an input method, Enter chooses a conversion.
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
          box.current = element?.parentElement ?? null;
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
        <ComboboxList host={box}>
          {matches?.options.map((match) => {
            const { key, content, isOff } = toOption(match);
            return (
              <ComboboxOption
                key={key}
                value={{ choose: () => pick(match) }}
                disabled={isOff}
                className={comboboxOption}
              >
                {content}
              </ComboboxOption>
            );
          })}
          {count === 0 && (
            <ComboboxNote>{isPending ? t("shared-owners:searching") : emptyText(typedText)}</ComboboxNote>
          )}
          {matches?.isMore &&
            (allText === undefined ? (
              <ComboboxNote>{t("shared-owners:moreMatches")}</ComboboxNote>
            ) : (
              <ComboboxOption
                value={{ choose: submit }}
                className={cx("font-semibold text-accent", comboboxOption)}
              >
                {allText}
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
            (count === 0 ? emptyText(typedText) : t("shared-owners:matches", { count })))
        )}
      </div>
    </>
  );
}
