import { type ComponentPropsWithoutRef, type ReactNode, useEffect, useRef, useState } from "react";
import { orNextHour, readLocal, toLocalInput, writeLocal } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import { IconButton } from "../button";
import { cx } from "../cx";
import { timeZoneName, useFormatDate } from "../date-time";
import { useReplacements } from "../menus/use-replacements";
import { useHydrated } from "../use-hydrated";
import type { CalendarButtonProps, CalendarEvent } from "./calendar.client";
import { controlProps, Field, FieldErrorList, type FieldProps, fieldIds } from "./field";
import { setNativeValue } from "./set-native-value";

export interface DateTimeFieldProps
  extends Omit<
      ComponentPropsWithoutRef<"input">,
      "required" | "type" | "children" | "name" | "defaultValue" | "value"
    >,
    FieldProps {
  readonly name: string;
  /** Local time in the account's time zone, "2026-08-01T14:30"; empty for none. */
  readonly defaultValue?: string;
  /** The saved value, which the undo button restores. */
  readonly savedValue?: string;
  /** IANA name of the account's time zone. */
  readonly timeZone: string;
  /** Time that is used when a day is chosen while the field has no readable time, "10:00". If it has passed today, the next full hour is used. */
  readonly defaultTime?: string;
  /**
   * For the field of an end: returns the start as a local time, "2026-08-01T14:30"; empty for none. If the default time on the same day is not after
   * it, the next full hour is used.
   */
  readonly getStart?: () => string;
  /** The space's other events, which the calendar shows. */
  readonly otherEvents?: readonly CalendarEvent[];
  /** Text below the empty field. */
  readonly emptyText?: string;
  /** Button beside an error. */
  readonly errorAction?: ReactNode;
}

/**
 * A date with a time on a 24-hour clock: `<DateTimeField name="startDate" label=… timeZone=… />`. It reads the usual Japanese and English forms
 * (readLocal); any other text stays as it is and is marked as unreadable. The field shows the time zone, and below it the formatted date. Scripts add a
 * calendar. Without scripts, the undo and clear buttons submit the form with the intents `undo:` and `clear:`, followed by the field's name.
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
  timeZone,
  defaultTime = "10:00",
  getStart = () => "",
  otherEvents = [],
  emptyText,
  errorAction,
  className,
  onInput,
  ...rest
}: DateTimeFieldProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const zoneName = timeZoneName(timeZone, t);
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(readLocal(defaultValue));
  useEffect(() => {
    // The user may have typed into the field before the scripts ran.
    if (input.current) setValue(readLocal(input.current.value));
  }, []);
  const ids = fieldIds(id, { hint, error }, `${id}-zone`, `${id}-readout`);
  const readout = formatDate(value, { weekday: true });
  const isUnreadable = value !== "" && readout === "";
  const setText = (newValue: string) => {
    if (!input.current) return;
    setNativeValue(input.current, writeLocal(newValue));
    input.current.focus();
  };
  return (
    <Field label={label} hint={hint} required={required} ids={ids} className={className}>
      <div className="relative">
        <input
          ref={input}
          type="text"
          name={name}
          required={required}
          defaultValue={writeLocal(readLocal(defaultValue))}
          placeholder={t("shared-owners:datePattern")}
          autoComplete="off"
          {...controlProps(ids, error)}
          {...rest}
          onInput={(event) => {
            setValue(readLocal(event.currentTarget.value));
            onInput?.(event);
          }}
          className="control pr-36 tabular-nums"
        />
        <span
          id={`${id}-zone`}
          className="pointer-events-none absolute inset-y-0 right-11 flex items-center text-xs text-muted"
        >
          {zoneName}
        </span>
        <CalendarButton
          label={t("shared-owners:pickDateOf", { label })}
          value={value}
          timeZone={timeZone}
          otherEvents={otherEvents}
          onPick={(day) => {
            const time = /T(\d{2}:\d{2})/.exec(value)?.[1];
            const now = toLocalInput(new Date().toISOString(), timeZone);
            const earliest = getStart() > now ? getStart() : now;
            setText(time ? `${day}T${time}` : orNextHour(`${day}T${defaultTime}`, earliest));
            // Selects the time, because users usually type it next.
            input.current?.setSelectionRange(11, 16);
          }}
        />
      </div>
      <div className="-mt-1.5 -mb-2 flex items-center">
        {/* An error replaces the formatted date, so that the next field does not move under a finger. */}
        <div className="min-w-0 flex-1">
          <p
            id={`${id}-readout`}
            className={cx(
              "text-xs tabular-nums",
              ids.errorId ? "sr-only" : isUnreadable ? "text-warning" : "text-muted",
            )}
          >
            {isUnreadable
              ? t("shared-owners:dateExample")
              : readout || emptyText || t("shared-owners:noDate")}
          </p>
          <FieldErrorList id={ids.errorId} error={error} />
        </div>
        {ids.errorId && errorAction}
        {/* In a row (`data-row`), `data-reveal` hides the buttons from users with a mouse until the row is in use, for example has the pointer or the focus (styles.css). */}
        <IconButton
          icon="undo"
          data-reveal=""
          label={t("shared-owners:undoOf", { label })}
          type={hydrated ? "button" : "submit"}
          formNoValidate
          name="intent"
          value={`undo:${name}`}
          disabled={hydrated && value === savedValue}
          onClick={hydrated ? () => setText(savedValue) : undefined}
        />
        <IconButton
          icon="close"
          data-reveal=""
          label={t("shared-owners:clearDateOf", { label })}
          type={hydrated ? "button" : "submit"}
          formNoValidate
          name="intent"
          value={`clear:${name}`}
          disabled={hydrated && value === ""}
          onClick={hydrated ? () => setText("") : undefined}
          className="-mr-2"
        />
      </div>
    </Field>
  );
}

/** The button that opens the calendar. It is visible only with scripts. */
function CalendarButton(props: CalendarButtonProps) {
  const host = useRef<HTMLDivElement>(null);
  const replacements = useReplacements(host);
  // When the button is pressed before the calendar has loaded, the calendar opens as soon as it has.
  const [isWanted, setWanted] = useState(false);
  return (
    <div ref={host} className="needs-script absolute top-0 right-0">
      {replacements ? (
        <replacements.EnhancedCalendar {...props} isWanted={isWanted} />
      ) : (
        <IconButton
          icon="calendar"
          label={props.label}
          onClick={() => setWanted(true)}
          className="text-muted"
        />
      )}
    </div>
  );
}
