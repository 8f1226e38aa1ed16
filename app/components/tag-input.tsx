import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";
import { Icon } from "./icon";
import { setNativeValue } from "./native-value";

/** The words of a comma-separated text, each once, in order. Japanese commas separate as well. */
export function splitTags(text: string): string[] {
  return [...new Set(text.split(/[,，、\n\t]/).map((tag) => tag.trim()))].filter(Boolean);
}

export interface TagInputProps extends FieldProps {
  readonly name: string;
  readonly id?: string;
  readonly defaultValue?: readonly string[];
  readonly placeholder?: string;
  readonly className?: string;
}

/**
 * A list of words (§9): `<TagInput name="keywords" label=… defaultValue={["sofa"]} />`. Posts one text, separated by commas. Without scripts it is
 * that text; with them comma, Tab and Enter add a word and Backspace removes the last.
 */
export function TagInput({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  defaultValue = [],
  placeholder,
  className,
}: TagInputProps) {
  const { t } = useTranslation();
  const [enhanced, setEnhanced] = useState(false);
  const plain = useRef<HTMLInputElement>(null);
  const posted = useRef<HTMLInputElement>(null);
  const entry = useRef<HTMLInputElement>(null);
  const [tags, setTags] = useState<readonly string[]>(() => [...new Set(defaultValue)]);
  const [said, setSaid] = useState("");
  useEffect(() => {
    // What was typed or restored before the scripts came is kept.
    if (plain.current) setTags(splitTags(plain.current.value));
    setEnhanced(true);
  }, []);
  const help = hint ?? (enhanced ? t("shared-owners:tagKeys") : t("shared-owners:tagHint"));
  const ids = fieldIds(id, { hint: help, error });

  const change = (next: readonly string[], message: string) => {
    setTags(next);
    setSaid(message);
    if (posted.current) setNativeValue(posted.current, next.join(", "));
  };
  const add = (text: string) => {
    const fresh = splitTags(text).filter((tag) => !tags.includes(tag));
    if (fresh.length > 0) change([...tags, ...fresh], t("shared-owners:tagAdded", { tag: fresh.join(", ") }));
    if (entry.current) entry.current.value = "";
  };
  const latestAdd = useRef(add);
  latestAdd.current = add;
  useEffect(() => {
    // A word that is still being typed when the page goes counts: before anything else on the page hears that it goes, and saves.
    const addRest = () => latestAdd.current(entry.current?.value ?? "");
    window.addEventListener("visibilitychange", addRest, { capture: true });
    return () => window.removeEventListener("visibilitychange", addRest, { capture: true });
  }, []);
  const remove = (tag: string) => {
    change(
      tags.filter((other) => other !== tag),
      t("shared-owners:tagRemoved", { tag }),
    );
    entry.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter and Tab that choose a conversion belong to the input method: they neither add a word nor send the form.
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
      event.key === "Enter" ||
      (event.key === "Tab" && text.trim() && !event.shiftKey)
    ) {
      event.preventDefault();
      add(text);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData("text");
    if (!/[,，、\n\t]/.test(text)) return;
    event.preventDefault();
    add(`${event.currentTarget.value}${text}`);
  };
  if (!enhanced)
    return (
      <Field {...{ label, hint: help, error, required, ids, className }}>
        <input
          ref={plain}
          type="text"
          name={name}
          defaultValue={tags.join(", ")}
          placeholder={placeholder}
          required={required}
          {...controlProps(ids, error)}
          className="control"
        />
      </Field>
    );
  return (
    <Field {...{ label, hint: help, error, required, ids, className }}>
      <input ref={posted} type="hidden" name={name} defaultValue={tags.join(", ")} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click only widens the target of the text field inside */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        className="control flex flex-wrap items-center gap-1 px-1 py-[3px]"
        onClick={(event) => event.target === event.currentTarget && entry.current?.focus()}
      >
        {tags.map((tag) => (
          <span key={tag} className="flex min-h-8 max-w-full items-center rounded-sm bg-ink/7 pl-2 text-sm">
            <span className="truncate">{tag}</span>
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
        <input
          ref={entry}
          type="text"
          enterKeyHint="enter"
          autoComplete="off"
          placeholder={tags.length === 0 ? placeholder : undefined}
          {...controlProps(ids, error)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onInput={(event) =>
            /[,，、]/.test(event.currentTarget.value) &&
            !(event.nativeEvent as InputEvent).isComposing &&
            add(event.currentTarget.value)
          }
          onCompositionEnd={(event) =>
            /[,，、]/.test(event.currentTarget.value) && add(event.currentTarget.value)
          }
          onBlur={(event) => add(event.currentTarget.value)}
          className="min-h-8 min-w-12 flex-1 bg-transparent px-2 outline-none"
        />
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </Field>
  );
}
