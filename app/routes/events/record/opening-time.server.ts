import type { AppLoadContext } from "@remix-run/cloudflare";
import { createDateFormatter } from "~/components/date-time";
import { linkOpensAt } from "~/domain/events/status";
import type { Event } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { languages } from "~/i18n/languages.server";

/** Formats the time at which an event opens by itself, with the year unless it is the current one; null if it does not open by itself. */
export function formatOpeningTime(
  { now, lang }: AppLoadContext,
  event: Event,
  timeZone: string,
): string | null {
  const { t } = languages[lang];
  const opensAt = linkOpensAt(event, "published", now);
  if (opensAt === null) return null;
  const [openingTime, currentTime] = [opensAt, now].map((time) =>
    toLocalInput(new Date(time).toISOString(), timeZone),
  );
  const year = openingTime?.slice(0, 4) !== currentTime?.slice(0, 4);
  return t("shared-owners:opensAt", { date: createDateFormatter(t)(openingTime ?? "", { year }) });
}
