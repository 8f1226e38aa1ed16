import { useRef } from "react";
import { useTranslation } from "~/i18n/translation";
import { useReplacements } from "../menus/use-replacements";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";

export interface TagInputProps extends FieldProps {
  readonly name: string;
  readonly id?: string;
  readonly defaultValue?: readonly string[];
  /** Suggested tags, in the order in which they are shown. */
  readonly suggestions?: readonly string[];
  readonly placeholder?: string;
}

/** Classes of the control that contains the tags and the text field. */
export const tagControlClasses = "control flex flex-wrap items-center gap-1 px-1 py-[3px]";
export const tagChipClasses = "flex min-h-8 max-w-full items-center rounded-sm bg-ink/7 pl-2 text-sm";
export const tagEntryClasses = "min-h-8 min-w-12 flex-1 bg-transparent px-2 outline-none";

/**
 * A list of tags (specification §9): `<TagInput name="keywords" label=… defaultValue={["sofa"]} />`. It posts a single comma-separated text. The server renders a
 * text field; scripts replace it by a combobox of Headless UI, in which comma, Tab and Enter add a tag, and Backspace removes the last one.
 */
export function TagInput({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  defaultValue = [],
  suggestions = [],
  placeholder,
}: TagInputProps) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const nativeInput = useRef<HTMLInputElement>(null);
  const replacements = useReplacements(host);
  const tags = [...new Set(defaultValue)];
  const help = hint ?? (
    // Both hints are in the same grid cell, so that the layout does not change when one replaces the other.
    <span className="grid *:col-start-1 *:row-start-1">
      <span className={replacements ? "invisible" : undefined}>{t("shared-owners:tagHint")}</span>
      <span className={replacements ? undefined : "invisible"}>{t("shared-owners:tagKeys")}</span>
    </span>
  );
  const ids = fieldIds(id, { hint: help, error });
  const control = controlProps(ids, error);
  return (
    <Field label={label} hint={help} error={error} required={required} ids={ids}>
      <div ref={host} className="grid grid-cols-1 *:col-start-1 *:row-start-1">
        {replacements ? (
          <replacements.EnhancedTagInput
            name={name}
            suggestions={suggestions}
            placeholder={placeholder}
            control={control}
            text={nativeInput.current?.value ?? ""}
          />
        ) : (
          <>
            {/* Reserves the height of the tags. */}
            <div aria-hidden="true" className={`${tagControlClasses} invisible`}>
              {tags.map((tag) => (
                <span key={tag} className={tagChipClasses}>
                  <span data-tag={tag} className="truncate before:content-[attr(data-tag)]" />
                  <span className="size-8 shrink-0" />
                </span>
              ))}
              <span className={tagEntryClasses} />
            </div>
            <input
              ref={nativeInput}
              type="text"
              name={name}
              defaultValue={tags.join(", ")}
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
