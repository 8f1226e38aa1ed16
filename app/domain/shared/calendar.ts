/** Days of the calendar, "2026-08-01" each, without a time zone. */
import { addDays } from "../analytics/report-period";

const time = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Returns the same day some months later, or the last day of a month that is shorter. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const ms = Date.UTC(year, month - 1 + months, Math.min(date, lastDay));
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns the weeks of a month ("2026-08") from Sunday to Saturday, with the days of other months that complete them. */
export function weeksOfMonth(month: string): readonly (readonly string[])[] {
  const firstDay = `${month}-01`;
  const end = addMonths(firstDay, 1);
  const weeks: string[][] = [];
  for (let day = addDays(firstDay, -new Date(time(firstDay)).getUTCDay()); day < end; day = addDays(day, 7))
    weeks.push([0, 1, 2, 3, 4, 5, 6].map((index) => addDays(day, index)));
  return weeks;
}
