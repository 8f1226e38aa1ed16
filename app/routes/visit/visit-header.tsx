import { useLocation } from "@remix-run/react";
import { useDateWords } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { LanguageSwitch } from "~/components/language-switch";
import { StatusBadge } from "~/components/status";
import type { Instant } from "~/domain/model";
import { EVENT_STATUS } from "~/domain/status";
import { toLocalInput } from "~/domain/time-zone";
import { useTranslation } from "~/i18n/use-translation";

export interface VisitHeaderProps {
  readonly event: {
    readonly name: string;
    readonly detail: string;
    readonly startDate: Instant | null;
    readonly endDate: Instant | null;
  };
  readonly preview: boolean;
  readonly timeZone: string;
}

/** What an event is: its name, when it is open, and what its owner says of it. */
export function VisitHeader({ event, preview, timeZone }: VisitHeaderProps) {
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <header className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {preview ? <StatusBadge statusId={EVENT_STATUS.preview} /> : <span />}
        <LanguageSwitch lang={language} url={pathname + search} />
      </div>
      <h1 className="text-xl leading-title font-semibold [overflow-wrap:anywhere]">{event.name}</h1>
      <Period {...event} timeZone={timeZone} />
      {preview && <p className="text-sm text-muted">{t("visit.previewNote")}</p>}
      {event.detail && (
        <p className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">{event.detail}</p>
      )}
    </header>
  );
}

function Period({
  startDate,
  endDate,
  timeZone,
}: {
  startDate: Instant | null;
  endDate: Instant | null;
  timeZone: string;
}) {
  const { t } = useTranslation();
  const words = useDateWords();
  // A line breaks between the dates, never inside one.
  const whole = (date: string) => words(toLocalInput(date, timeZone)).replaceAll(" ", "\u00a0");
  const start = startDate && whole(startDate);
  const end = endDate && whole(endDate);
  const text =
    start && end
      ? t("visit.between", { start, end })
      : start
        ? t("visit.from", { date: start })
        : end && t("visit.until", { date: end });
  if (!text) return null;
  return (
    <p className="flex items-start gap-2 text-sm text-muted">
      <Icon name="calendar" size={16} className="mt-[calc((1lh-1rem)/2)]" />
      <span className="[word-break:keep-all]">
        <span className="sr-only">{t("visit.period")} </span>
        {text} <span className="text-xs">({timeZone})</span>
      </span>
    </p>
  );
}
