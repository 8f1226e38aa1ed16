import type { AppLoadContext } from "@remix-run/cloudflare";
import type { ClosedEvent } from "#functions/services/visitors/closed-event";
import { createDateFormatter, timeZoneName } from "~/components/date-time";
import { textIn } from "~/domain/shared/localized";
import type { Instant, Lang } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { languages } from "~/i18n/languages.server";
import type { ClosedEventProps } from "./closed-event";

/** Title and text of the page of a closed event: one that has not opened yet or has ended. Dates are in the event's time zone, which is named. */
export function closedEventTexts(event: ClosedEvent, lang: Lang, now: number) {
  const { t } = languages[lang];
  const { notice, timeZone, endDate } = event;
  const formatDate = (instant: Instant) => {
    const date = createDateFormatter(t)(toLocalInput(instant, timeZone));
    return t("visitors-late:closed.inZone", { date, zone: timeZoneName(timeZone, t) });
  };
  const hasEnded = endDate !== null && Date.parse(endDate) <= now;
  const text =
    notice.kind === "opens"
      ? t("visitors-late:closed.opens", { date: formatDate(notice.at) })
      : hasEnded
        ? t("visitors-late:closed.endedOn", { date: formatDate(endDate) })
        : t("visitors-late:closed.ended");
  const fallbackTitle = t(
    notice.kind === "opens" ? "visitors-late:closed.titleOpens" : "visitors-late:closed.titleEnded",
  );
  return { title: event.name ? textIn(event.name, lang) : fallbackTitle, text };
}

/** Data of a closed event's page. `calendarHref` is used only for an event that has not opened yet. */
export function closedEventPage(
  { lang, now }: Pick<AppLoadContext, "lang" | "now">,
  event: ClosedEvent,
  page: Pick<ClosedEventProps, "href" | "url" | "version"> & {
    readonly calendarHref: string | null;
    readonly fileUrl: (id: string) => string;
  },
): ClosedEventProps {
  const { calendarHref, fileUrl, ...pageProps } = page;
  const { notice } = event;
  const opensAt = notice.kind === "opens" ? Date.parse(notice.at) : null;
  return {
    ...pageProps,
    ...closedEventTexts(event, lang, now),
    cover: event.coverId && fileUrl(event.coverId),
    organizer: event.organizer,
    opensAt,
    now,
    calendarHref: opensAt === null ? null : calendarHref,
  };
}
