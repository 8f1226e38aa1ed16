import type { Instant } from "~/domain/shared/model";
import { fromLocalInput, toLocalInput } from "~/domain/shared/time-zone";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";

export interface DateWordsOptions {
  readonly weekday?: boolean;
  /** False omits the time. */
  readonly time?: boolean;
  /** False omits the year. */
  readonly year?: boolean;
}

/**
 * Formats a wall-clock time, "2026-08-01T14:30", in the page's language with 24 hours; empty for anything else. It uses messages instead
 * of Intl, because server and browser would join the parts differently. For an instant, use toLocalInput first.
 */
export function useDateWords(): DateWords {
  return dateWords(useTranslation().t);
}

type DateWords = (local: string, options?: DateWordsOptions) => string;

/** The same for a given language, for the server. */
export function dateWords(t: Translate): DateWords {
  return (local, { weekday = false, time = true, year: hasYear = true } = {}) => {
    const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})/.exec(local);
    // A typed date can be impossible, such as month 13.
    if (!match || !fromLocalInput(local, "UTC")) return "";
    const [, year = "", month = "", day = "", clock = ""] = match;
    const dayOfWeek = new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDay() as 0 | 1 | 2 | 3 | 4 | 5 | 6;
    const words = {
      year,
      month: t(`shared-owners:months.${Number(month) as 1}`),
      day: Number(day),
      weekday: t(`shared-owners:weekdays.${dayOfWeek}`),
    };
    const form = hasYear ? (weekday ? "dateWithWeekday" : "date") : "dayAndMonth";
    const date = t(`shared-owners:${form}`, words);
    return time ? t("shared-owners:dateAndTime", { date, time: clock }) : date;
  };
}

/** Names a time zone for people: Japan's by its name, others by their IANA name. */
export const timeZoneName = (timeZone: string, t: Translate): string =>
  timeZone === "Asia/Tokyo" ? t("shared:japanTime") : timeZone.replaceAll("_", " ");

export interface DateTimeProps extends DateWordsOptions {
  readonly instant: Instant;
  /** The account's zone: an IANA name. */
  readonly timeZone: string;
}

/** An instant in the page's language: `<DateTime instant={event.updatedAt} timeZone={user.timeZone} />`. */
export function DateTime({ instant, timeZone, ...options }: DateTimeProps) {
  const words = useDateWords();
  return (
    <time dateTime={instant} className="whitespace-nowrap">
      {words(toLocalInput(instant, timeZone), options)}
    </time>
  );
}
