import type { Instant } from "~/domain/shared/model";
import { fromLocalInput, toLocalInput } from "~/domain/shared/time-zone";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";

export interface DateFormatOptions {
  readonly weekday?: boolean;
  /** False omits the time. */
  readonly time?: boolean;
  /** False omits the year and the weekday. */
  readonly year?: boolean;
}

/**
 * Returns a function that formats a local time such as "2026-08-01T14:30" in the page's language with 24 hours, and returns an empty text for
 * anything else. It uses messages instead of Intl, because Intl's results differ between servers and browsers. For an instant, use toLocalInput
 * first.
 */
export function useFormatDate(): FormatDate {
  return createDateFormatter(useTranslation().t);
}

type FormatDate = (local: string, options?: DateFormatOptions) => string;

/** Maximum number of texts that are cached for each language. */
const CACHED_TEXTS_MAX = 2000;
const textCache = new WeakMap<Translate, Map<string, string>>();

/** Like useFormatDate, but for a given `t`, so that it can be used outside components. The texts are cached, because lists often contain the same dates. */
export function createDateFormatter(t: Translate): FormatDate {
  const format = createUncachedFormatter(t);
  return (local, { weekday = false, time = true, year: hasYear = true } = {}) => {
    let cachedTexts = textCache.get(t);
    const key = `${local} ${weekday} ${time} ${hasYear}`;
    const cachedText = cachedTexts?.get(key);
    if (cachedText !== undefined) return cachedText;
    if (!cachedTexts || cachedTexts.size >= CACHED_TEXTS_MAX) {
      cachedTexts = new Map();
      textCache.set(t, cachedTexts);
    }
    const text = format(local, { weekday, time, year: hasYear });
    cachedTexts.set(key, text);
    return text;
  };
}

function createUncachedFormatter(t: Translate): FormatDate {
  return (local, { weekday = false, time = true, year: hasYear = true } = {}) => {
    const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})/.exec(local);
    // A typed date can be invalid, for example with month 13.
    if (!match || !fromLocalInput(local, "UTC")) return "";
    const [, year = "", month = "", day = "", time24 = ""] = match;
    const dayOfWeek = new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDay() as 0 | 1 | 2 | 3 | 4 | 5 | 6;
    const parts = {
      year,
      month: t(`shared-owners:months.${Number(month) as 1}`),
      day: Number(day),
      weekday: t(`shared-owners:weekdays.${dayOfWeek}`),
    };
    const form = hasYear ? (weekday ? "dateWithWeekday" : "date") : "dayAndMonth";
    const date = t(`shared-owners:${form}`, parts);
    return time ? t("shared-owners:dateAndTime", { date, time: time24 }) : date;
  };
}

/** Returns the displayed name of a time zone: a message for Japan's, and the IANA name with spaces for others. */
export const timeZoneName = (timeZone: string, t: Translate): string =>
  timeZone === "Asia/Tokyo" ? t("shared:japanTime") : timeZone.replaceAll("_", " ");

export interface DateTimeProps extends DateFormatOptions {
  readonly instant: Instant;
  /** IANA name of the account's time zone. */
  readonly timeZone: string;
}

/** An instant in the page's language: `<DateTime instant={event.updatedAt} timeZone={user.timeZone} />`. */
export function DateTime({ instant, timeZone, ...options }: DateTimeProps) {
  const formatDate = useFormatDate();
  return (
    <time dateTime={instant} className="whitespace-nowrap">
      {formatDate(toLocalInput(instant, timeZone), options)}
    </time>
  );
}
