import { type ComponentPropsWithoutRef, useEffect, useRef, useState } from "react";
import { fromLocalInput, readLocal, writeLocal } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import { IconButton } from "../button";
import { cx } from "../classes";
import { useDateWords } from "../date-time";
import { useHydrated } from "../use-hydrated";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";
import { setNativeValue } from "./native-value";

/** Name and value of a submit button, for forms without scripts. */
export interface Intent {
  readonly name: string;
  readonly value: string;
}

export interface DateTimeFieldProps
  extends Omit<
      ComponentPropsWithoutRef<"input">,
      "required" | "type" | "children" | "name" | "defaultValue" | "value"
    >,
    FieldProps {
  readonly name: string;
  /** Wall-clock time in the account's zone, "2026-08-01T14:30"; empty for none. */
  readonly defaultValue?: string;
  /** The saved value, which "undo" restores. */
  readonly savedValue?: string;
  /** Without scripts "delete the date" posts the form with this. */
  readonly clearIntent: Intent;
  /** Without scripts "undo" posts the form with this. */
  readonly undoIntent: Intent;
  /** Shown behind the time: "Asia/Tokyo". */
  readonly timeZone?: string;
}

/**
 * A date and a time on a 24-hour clock: `<DateTimeField name="startDate" label=… clearIntent=… undoIntent=… />`. Without scripts it is the
 * browser's own picker, which writes the time in the browser's way; with them it is typed as 2026/08/01 14:30, whatever
 * the browser's language, and the picker opens from a button. Under it stands the same time in words.
 */
export function DateTimeField({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  defaultValue = "",
  savedValue = defaultValue,
  clearIntent,
  undoIntent,
  timeZone,
  className,
  onInput,
  ...rest
}: DateTimeFieldProps) {
  const { t } = useTranslation();
  const dateWords = useDateWords();
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(defaultValue);
  useEffect(() => {
    if (input.current) setValue(readLocal(input.current.value));
  }, []);
  const readoutId = `${id}-readout`;
  const ids = fieldIds(id, { hint, error }, readoutId);
  const readout = dateWords(value, { weekday: true });

  const put = (next: string) => {
    if (!input.current) return;
    setNativeValue(input.current, writeLocal(next));
    input.current.focus();
  };
  return (
    <Field {...{ label, hint, error, required, ids, className }}>
      <div className="relative">
        <input
          // Scripts replace the field with a different type and keep the entered value.
          key={hydrated ? "typed" : "picked"}
          ref={input}
          type={hydrated ? "text" : "datetime-local"}
          name={name}
          required={required}
          defaultValue={hydrated ? writeLocal(input.current?.value ?? defaultValue) : defaultValue}
          {...(hydrated
            ? { placeholder: t("shared-owners:dateExample"), autoComplete: "off" }
            : { min: "1970-01-01T00:00", max: "9999-12-31T23:59" })}
          {...controlProps(ids, error)}
          {...rest}
          onInput={(event) => {
            setValue(readLocal(event.currentTarget.value));
            onInput?.(event);
          }}
          className={cx("control tabular-nums", hydrated && "pr-11")}
        />
        {hydrated && (
          <>
            <input
              ref={picker}
              type="datetime-local"
              tabIndex={-1}
              aria-hidden="true"
              // The browser logs a warning for a value that is not a date.
              value={fromLocalInput(value, "UTC") ? value : ""}
              onChange={(event) => put(event.currentTarget.value)}
              className="pointer-events-none absolute right-0 bottom-0 size-px opacity-0"
            />
            <IconButton
              icon="calendar"
              label={t("shared-owners:pickDateOf", { label })}
              onClick={() => picker.current?.showPicker()}
              className="absolute top-0 right-0 text-muted"
            />
          </>
        )}
      </div>
      <div className="-mt-1.5 -mb-2 flex items-center">
        <p id={readoutId} className="min-w-0 flex-1 text-xs text-muted tabular-nums">
          {readout && `${readout}${timeZone ? ` ${timeZone}` : ""}`}
          {!readout && (value === "" ? t("shared-owners:noDate") : t("shared-owners:dateExample"))}
        </p>
        <IconButton
          icon="undo"
          label={t("shared-owners:undoOf", { label })}
          type={hydrated ? "button" : "submit"}
          formNoValidate
          {...undoIntent}
          disabled={hydrated && value === savedValue}
          onClick={hydrated ? () => put(savedValue) : undefined}
        />
        <IconButton
          icon="close"
          label={t("shared-owners:clearDateOf", { label })}
          type={hydrated ? "button" : "submit"}
          formNoValidate
          {...clearIntent}
          disabled={hydrated && value === ""}
          onClick={hydrated ? () => put("") : undefined}
          className="-mr-2"
        />
      </div>
    </Field>
  );
}
