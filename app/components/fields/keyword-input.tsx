import { useRef } from "react";
import { useTranslation } from "~/i18n/translation";
import { useReplacements } from "../menus/use-replacements";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";

interface KeywordInputProps extends FieldProps {
  readonly name: string;
  readonly id?: string;
  readonly defaultValue?: readonly string[];
  /** Suggested keywords, in the order in which they are shown. */
  readonly suggestions?: readonly string[];
  readonly placeholder?: string;
}

const CLASSES = {
  /** The control that contains the keywords and the text field. */
  control: "control flex flex-wrap items-center gap-1 px-1 py-[3px]",
  keyword: "flex min-h-8 max-w-full items-center rounded-sm bg-ink/7 pl-2 text-sm",
  input: "min-h-8 min-w-12 flex-1 bg-transparent px-2 outline-none",
};

/**
 * A list of keywords (specification §9): `<KeywordInput name="keywords" label=… defaultValue={["sofa"]} />`. It posts
 * a single comma-separated text. The server renders a text field; scripts replace it by a combobox of Headless UI, in
 * which comma, Tab and Enter add a keyword, and Backspace removes the last one.
 */
export function KeywordInput({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  defaultValue = [],
  suggestions = [],
  placeholder,
}: KeywordInputProps) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const nativeInput = useRef<HTMLInputElement>(null);
  const replacements = useReplacements(host);
  const keywords = [...new Set(defaultValue)];
  const help = hint ?? (
    // Both hints are in the same grid cell, so that the layout does not change when one replaces the other.
    <span className="grid *:col-start-1 *:row-start-1">
      <span className={replacements ? "invisible" : undefined}>{t("shared-owners:keywordHint")}</span>
      <span className={replacements ? undefined : "invisible"}>{t("shared-owners:keywordKeys")}</span>
    </span>
  );
  const ids = fieldIds(id, { hint: help, error });
  const control = controlProps(ids, error);
  return (
    <Field label={label} hint={help} error={error} required={required} ids={ids}>
      <div ref={host} className="grid grid-cols-1 *:col-start-1 *:row-start-1">
        {replacements ? (
          <replacements.EnhancedKeywordInput
            name={name}
            suggestions={suggestions}
            placeholder={placeholder}
            control={control}
            classes={CLASSES}
            text={nativeInput.current?.value ?? ""}
          />
        ) : (
          <>
            {/* Reserves the height of the keywords. */}
            <div aria-hidden="true" className={`${CLASSES.control} invisible`}>
              {keywords.map((keyword) => (
                <span key={keyword} className={CLASSES.keyword}>
                  <span data-keyword={keyword} className="truncate before:content-[attr(data-keyword)]" />
                  <span className="size-8 shrink-0" />
                </span>
              ))}
              <span className={CLASSES.input} />
            </div>
            <input
              ref={nativeInput}
              type="text"
              name={name}
              defaultValue={keywords.join(", ")}
              placeholder={placeholder}
              required={required}
              {...control}
              className="control"
            />
          </>
        )}
      </div>
    </Field>
  );
}
