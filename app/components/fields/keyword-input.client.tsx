import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from "@headlessui/react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { searchKey } from "~/domain/shared/text";
import { useTranslation } from "~/i18n/translation";
import { Icon } from "../icon";
import { menuItemClasses, menuPanelClasses } from "../menus/menu-classes";
import type { controlProps } from "./field";
import { setNativeValue } from "./set-native-value";

/** Separators of keywords: commas (also Japanese ones), tabs and line breaks. */
const SEPARATOR = /[,，、\n\t]/;

/** Splits a text into keywords without duplicates. */
export function splitKeywords(text: string): string[] {
  return [...new Set(text.split(SEPARATOR).map((keyword) => keyword.trim()))].filter(Boolean);
}

const COMMA = /[,，、]/;
/** Maximum number of suggestions that are shown. */
const SUGGESTIONS_MAX = 8;

export interface EnhancedKeywordInputProps {
  readonly name: string;
  readonly placeholder?: string;
  /** Text of the native field that this component replaces. */
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly control: ReturnType<typeof controlProps>;
  /** Classes of the control and of the keywords and the text field in it. */
  readonly classes: Readonly<Record<"control" | "keyword" | "input", string>>;
}

/** A keyword field based on Headless UI's combobox. The typed text is the first option, so that Enter adds it unchanged. */
export function EnhancedKeywordInput({
  name,
  placeholder,
  text,
  suggestions,
  control,
  classes,
}: EnhancedKeywordInputProps) {
  const { t } = useTranslation();
  const hiddenInput = useRef<HTMLInputElement>(null);
  const textInput = useRef<HTMLInputElement>(null);
  const [keywords, setKeywords] = useState<readonly string[]>(() => splitKeywords(text));
  const [query, setQuery] = useState("");
  const [announcement, setAnnouncement] = useState("");
  const typedText = query.trim();
  const matches =
    typedText === ""
      ? []
      : suggestions
          .filter(
            (keyword) => !keywords.includes(keyword) && searchKey(keyword).includes(searchKey(typedText)),
          )
          .slice(0, SUGGESTIONS_MAX);
  const options = matches.length === 0 ? [] : [...new Set([typedText, ...matches])];

  const change = (next: readonly string[], message: string) => {
    setKeywords(next);
    setAnnouncement(message);
    if (hiddenInput.current) setNativeValue(hiddenInput.current, next.join(", "));
  };
  const add = (text: string) => {
    const newKeywords = splitKeywords(text).filter((keyword) => !keywords.includes(keyword));
    if (newKeywords.length > 0)
      change(
        [...keywords, ...newKeywords],
        t("shared-owners:keywordAdded", { keyword: newKeywords.join(", ") }),
      );
    if (textInput.current) textInput.current.value = "";
    setQuery("");
  };
  const latestAdd = useRef(add);
  latestAdd.current = add;
  useEffect(() => {
    // When the page is hidden, the text in the field is added before other listeners save the form.
    const addTyped = () => {
      if (document.visibilityState === "hidden") latestAdd.current(textInput.current?.value ?? "");
    };
    window.addEventListener("visibilitychange", addTyped, { capture: true });
    return () => window.removeEventListener("visibilitychange", addTyped, { capture: true });
  }, []);
  const remove = (keyword: string) => {
    change(
      keywords.filter((other) => other !== keyword),
      t("shared-owners:keywordRemoved", { keyword }),
    );
    textInput.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // With an input method, Enter and Tab choose a conversion, so they must neither add a keyword nor submit the form.
    if (event.nativeEvent.isComposing || event.keyCode === 229) {
      if (event.key === "Enter") event.preventDefault();
      return;
    }
    const text = event.currentTarget.value;
    const lastKeyword = keywords.at(-1);
    if (event.key === "Backspace" && text === "" && lastKeyword !== undefined) {
      event.preventDefault();
      remove(lastKeyword);
    } else if (
      event.key === "," ||
      // If there are options, the combobox handles Enter and chooses the active option.
      (event.key === "Enter" && options.length === 0) ||
      (event.key === "Tab" && text.trim() && !event.shiftKey)
    ) {
      event.preventDefault();
      add(text);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData("text");
    if (!SEPARATOR.test(text)) return;
    event.preventDefault();
    add(`${event.currentTarget.value}${text}`);
  };
  return (
    <>
      <input ref={hiddenInput} type="hidden" name={name} defaultValue={keywords.join(", ")} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click only widens the target of the text field inside */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        className={classes.control}
        onClick={(event) => event.target === event.currentTarget && textInput.current?.focus()}
      >
        {keywords.map((keyword) => (
          <span key={keyword} className={classes.keyword}>
            <bdi className="truncate">{keyword}</bdi>
            <button
              type="button"
              aria-label={t("shared-owners:removeKeyword", { keyword })}
              title={t("shared-owners:removeKeyword", { keyword })}
              onClick={() => remove(keyword)}
              className="relative inline-flex size-8 shrink-0 items-center justify-center rounded text-muted after:absolute after:-inset-1 hover:text-ink"
            >
              <Icon name="close" size={16} />
            </button>
          </span>
        ))}
        <Combobox<string, true>
          multiple
          value={[...keywords]}
          onChange={(next) => add(next.filter((keyword) => !keywords.includes(keyword)).join(","))}
          onClose={() => setQuery("")}
        >
          <ComboboxInput
            ref={textInput}
            enterKeyHint="enter"
            autoComplete="off"
            placeholder={keywords.length === 0 ? placeholder : undefined}
            {...control}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onChange={(event) => {
              const { value } = event.currentTarget;
              if (COMMA.test(value) && !(event.nativeEvent as InputEvent).isComposing) add(value);
              else setQuery(value);
            }}
            onCompositionEnd={(event) =>
              COMMA.test(event.currentTarget.value) && add(event.currentTarget.value)
            }
            onBlur={(event) => add(event.currentTarget.value)}
            className={classes.input}
          />
          {options.length > 0 && (
            <ComboboxOptions
              modal={false}
              anchor={{ to: "bottom start", gap: 8, padding: 8 }}
              className={`max-w-80 ${menuPanelClasses}`}
            >
              {options.map((keyword) => (
                <ComboboxOption
                  key={keyword}
                  value={keyword}
                  className={`cursor-pointer data-focus:bg-ink/7 ${menuItemClasses}`}
                >
                  <bdi className="min-w-0 wrap-anywhere">{keyword}</bdi>
                </ComboboxOption>
              ))}
            </ComboboxOptions>
          )}
        </Combobox>
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  );
}
