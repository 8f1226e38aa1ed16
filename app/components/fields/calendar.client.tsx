import { Popover, PopoverButton, PopoverPanel, useClose } from "@headlessui/react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { addDays } from "~/domain/analytics/report-period";
import { addMonths, weeksOfMonth } from "~/domain/shared/calendar";
import type { Instant } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import { IconButton } from "../button";
import { cx } from "../cx";
import { useFormatDate } from "../date-time";
import { Icon } from "../icon";
import { menuPanelClasses } from "../menus/menu-classes";

/** An event that the calendar shows on its days. */
export interface CalendarEvent {
  readonly name: string;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
}

export interface CalendarButtonProps {
  readonly label: string;
  /** The field's value, "2026-08-01T14:30", or the typed text. */
  readonly value: string;
  /** IANA name of the account's time zone. */
  readonly timeZone: string;
  /** The other events of the space. */
  readonly otherEvents: readonly CalendarEvent[];
  /** Receives the chosen day, "2026-08-01". */
  readonly onPick: (day: string) => void;
}

const DAY = /^\d{4}-\d{2}-\d{2}/;
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;

/** The button that opens a calendar in a popover of Headless UI. With `isWanted` (the button was pressed before this module had loaded), the calendar opens at once. */
export function EnhancedCalendar({
  isWanted,
  label,
  ...props
}: CalendarButtonProps & { readonly isWanted: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isWanted) button.current?.click();
  }, [isWanted]);
  return (
    <Popover>
      <PopoverButton
        ref={button}
        aria-label={label}
        title={label}
        className="inline-flex size-10 items-center justify-center rounded text-muted transition-colors hover:bg-ink/7"
      >
        <Icon name="calendar" />
      </PopoverButton>
      <PopoverPanel
        role="dialog"
        aria-label={label}
        className={cx("absolute top-full right-0 mt-1 w-80 p-3!", menuPanelClasses)}
      >
        <Calendar {...props} />
      </PopoverPanel>
    </Popover>
  );
}

/** Returns the first and last day of an event in a time zone (YYYY-MM-DD). If one date is missing, both are the same; null without dates. */
function getEventDays({ startDate, endDate }: CalendarEvent, timeZone: string) {
  const toDay = (instant: string | null) => toLocalInput(instant, timeZone).slice(0, 10);
  if (startDate === null && endDate === null) return null;
  return { from: toDay(startDate ?? endDate), to: toDay(endDate ?? startDate) };
}

/** A month as a grid of days that shows the other events of the space. Arrows, Home, End, Page Up and Page Down move the focus. */
function Calendar({ value, timeZone, otherEvents, onPick }: Omit<CalendarButtonProps, "label">) {
  const { t } = useTranslation();
  const separator = t("shared-owners:listSeparator");
  const formatDate = useFormatDate();
  const close = useClose();
  const grid = useRef<HTMLTableElement>(null);
  const calendarRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    calendarRef.current?.parentElement?.scrollIntoView({ block: "nearest" });
  }, []);
  const today = toLocalInput(new Date().toISOString(), timeZone).slice(0, 10);
  const isReadable = formatDate(value) !== "";
  const chosenDay = (isReadable && DAY.exec(value)?.[0]) || null;
  const [activeDay, setActiveDay] = useState(chosenDay ?? today);
  const [shouldFocus, setShouldFocus] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new active day gets the focus
  useEffect(() => {
    if (shouldFocus) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }, [activeDay, shouldFocus]);
  const move = (day: string, focus = true) => {
    setShouldFocus(focus);
    setActiveDay(day);
  };
  const events = otherEvents.flatMap((event) => {
    const days = getEventDays(event, timeZone);
    return days ? [{ name: event.name, ...days }] : [];
  });
  const eventsOn = (day: string) => events.filter(({ from, to }) => from <= day && day <= to);
  const month = activeDay.slice(0, 7);
  const weeks = weeksOfMonth(month);
  const monthEvents = events.filter(({ from, to }) => from.slice(0, 7) <= month && month <= to.slice(0, 7));
  const formatDay = (day: string) => formatDate(`${day}T00:00`, { time: false });
  const onKeyDown = (event: KeyboardEvent) => {
    const weekday = new Date(`${activeDay}T00:00Z`).getUTCDay();
    const target = {
      ArrowLeft: () => addDays(activeDay, -1),
      ArrowRight: () => addDays(activeDay, 1),
      ArrowUp: () => addDays(activeDay, -7),
      ArrowDown: () => addDays(activeDay, 7),
      Home: () => addDays(activeDay, -weekday),
      End: () => addDays(activeDay, 6 - weekday),
      PageUp: () => addMonths(activeDay, event.shiftKey ? -12 : -1),
      PageDown: () => addMonths(activeDay, event.shiftKey ? 12 : 1),
    }[event.key];
    if (!target) return;
    event.preventDefault();
    move(target());
  };
  const monthLabel = t("shared-owners:monthOfYear", {
    year: month.slice(0, 4),
    month: t(`shared-owners:months.${Number(month.slice(5)) as 1}`),
  });
  return (
    <div ref={calendarRef} className="grid gap-2">
      <div className="flex items-center justify-between">
        <IconButton
          icon="chevron-left"
          label={t("shared-owners:monthBefore")}
          onClick={() => move(addMonths(activeDay, -1), false)}
        />
        <p aria-live="polite" className="font-semibold tabular-nums">
          {monthLabel}
        </p>
        <IconButton
          icon="chevron-right"
          label={t("shared-owners:monthAfter")}
          onClick={() => move(addMonths(activeDay, 1), false)}
        />
      </div>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a calendar is a grid
        role="grid"
        aria-label={monthLabel}
        onKeyDown={onKeyDown}
        className="w-full table-fixed text-center"
      >
        <thead>
          <tr>
            {WEEKDAYS.map((weekday) => (
              <th key={weekday} scope="col" className="pb-1 text-xs font-normal text-muted">
                {t(`shared-owners:weekdays.${weekday}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const isChosen = day === chosenDay;
                const names = eventsOn(day).map(({ name }) => name);
                return (
                  <td key={day} className="p-0">
                    <button
                      type="button"
                      tabIndex={day === activeDay ? 0 : -1}
                      aria-label={[formatDate(`${day}T00:00`, { time: false, weekday: true }), ...names].join(
                        separator,
                      )}
                      aria-pressed={isChosen}
                      aria-current={day === today ? "date" : undefined}
                      title={names.join(separator) || undefined}
                      onClick={() => {
                        close();
                        onPick(day);
                      }}
                      className={cx(
                        "relative inline-flex size-10 items-center justify-center rounded tabular-nums",
                        isChosen ? "bg-accent text-accent-ink" : "hover:bg-ink/7",
                        !isChosen && !day.startsWith(month) && "text-faint",
                        !isChosen && day === today && "font-semibold text-accent underline",
                      )}
                    >
                      {Number(day.slice(8))}
                      {names.length > 0 && (
                        <span
                          aria-hidden="true"
                          className="absolute inset-x-1 bottom-1 h-0.5 rounded-full bg-status-published"
                        />
                      )}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {monthEvents.length > 0 && (
        <section aria-label={t("shared-owners:otherEvents")} className="border-t border-line pt-2 text-xs">
          <p className="text-muted">{t("shared-owners:otherEvents")}</p>
          <ul className="grid max-h-28 gap-1 overflow-y-auto pt-1">
            {monthEvents.map(({ name, from, to }) => (
              <li key={`${name} ${from}`} className="flex justify-between gap-3">
                <span className="min-w-0 truncate">{name}</span>
                <span className="shrink-0 text-muted tabular-nums">
                  {from === to
                    ? formatDay(from)
                    : t("shared-owners:between", { from: formatDay(from), to: formatDay(to) })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
