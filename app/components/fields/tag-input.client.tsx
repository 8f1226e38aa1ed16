import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from "@headlessui/react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { searchKey } from "~/domain/shared/text";
import { useTranslation } from "~/i18n/translation";
import { Icon } from "../icon";
import { menuItemClasses, menuPanelClasses } from "../menus/menu";
import type { controlProps } from "./field";
import { setNativeValue } from "./set-native-value";
import { type TagInputProps, tagChipClasses, tagControlClasses, tagEntryClasses } from "./tag-input";

/** Separators of tags: commas (also Japanese ones), tabs and line breaks. */
const SEPARATOR = /[,，、\n\t]/;

/** Splits a text into tags without duplicates. */
export function splitTags(text: string): string[] {
  return [...new Set(text.split(SEPARATOR).map((tag) => tag.trim()))].filter(Boolean);
}

const COMMA = /[,，、]/;
/** Maximum number of suggestions that are shown. */
const SUGGESTIONS_MAX = 8;

export interface EnhancedTagInputProps extends Pick<TagInputProps, "name" | "placeholder"> {
  /** Text of the native field that this component replaces. */
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly control: ReturnType<typeof controlProps>;
}

/** A tag field based on Headless UI's combobox. The typed text is the first option, so that Enter adds it unchanged. */
export function EnhancedTagInput({ name, placeholder, text, suggestions, control }: EnhancedTagInputProps) {
  const { t } = useTranslation();
  const hiddenInput = useRef<HTMLInputElement>(null);
  const textInput = useRef<HTMLInputElement>(null);
  const [tags, setTags] = useState<readonly string[]>(() => splitTags(text));
  const [query, setQuery] = useState("");
  const [announcement, setAnnouncement] = useState("");
  const typedText = query.trim();
  const matches =
    typedText === ""
      ? []
      : suggestions
          .filter((tagText) => !tags.includes(tagText) && searchKey(tagText).includes(searchKey(typedText)))
          .slice(0, SUGGESTIONS_MAX);
  const options = matches.length === 0 ? [] : [...new Set([typedText, ...matches])];

  const change = (next: readonly string[], message: string) => {
    setTags(next);
    setAnnouncement(message);
    if (hiddenInput.current) setNativeValue(hiddenInput.current, next.join(", "));
  };
  const add = (text: string) => {
    const newTags = splitTags(text).filter((tag) => !tags.includes(tag));
    if (newTags.length > 0)
      change([...tags, ...newTags], t("shared-owners:tagAdded", { tag: newTags.join(", ") }));
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
  const remove = (tag: string) => {
    change(
      tags.filter((other) => other !== tag),
      t("shared-owners:tagRemoved", { tag }),
    );
    textInput.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // With an input method, Enter and Tab choose a conversion, so they must neither add a tag nor submit the form.
    if (event.nativeEvent.isComposing || event.keyCode === 229) {
      if (event.key === "Enter") event.preventDefault();
      return;
    }
    const text = event.currentTarget.value;
    const last = tags.at(-1);
    if (event.key === "Backspace" && text === "" && last !== undefined) {
      event.preventDefault();
      remove(last);
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
      <input ref={hiddenInput} type="hidden" name={name} defaultValue={tags.join(", ")} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click only widens the target of the text field inside */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        className={tagControlClasses}
        onClick={(event) => event.target === event.currentTarget && textInput.current?.focus()}
      >
        {tags.map((tag) => (
          <span key={tag} className={tagChipClasses}>
            <bdi className="truncate">{tag}</bdi>
            <button
              type="button"
              aria-label={t("shared-owners:removeTag", { tag })}
              title={t("shared-owners:removeTag", { tag })}
              onClick={() => remove(tag)}
              className="relative inline-flex size-8 shrink-0 items-center justify-center rounded text-muted after:absolute after:-inset-1 hover:text-ink"
            >
              <Icon name="close" size={16} />
            </button>
          </span>
        ))}
        <Combobox<string, true>
          multiple
          value={[...tags]}
          onChange={(next) => add(next.filter((tagText) => !tags.includes(tagText)).join(","))}
          onClose={() => setQuery("")}
        >
          <ComboboxInput
            ref={textInput}
            enterKeyHint="enter"
            autoComplete="off"
            placeholder={tags.length === 0 ? placeholder : undefined}
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
            className={tagEntryClasses}
          />
          {options.length > 0 && (
            <ComboboxOptions
              modal={false}
              anchor={{ to: "bottom start", gap: 8, padding: 8 }}
              className={`max-w-80 ${menuPanelClasses}`}
            >
              {options.map((tagText) => (
                <ComboboxOption
                  key={tagText}
                  value={tagText}
                  className={`cursor-pointer data-focus:bg-ink/7 ${menuItemClasses}`}
                >
                  <bdi className="min-w-0 wrap-anywhere">{tagText}</bdi>
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
