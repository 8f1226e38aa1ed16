import { useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";
import { useDateWords } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { LanguageSwitch } from "~/components/language-switch";
import { StatusBadge } from "~/components/status";
import type { Instant } from "~/domain/model";
import { EVENT_STATUS } from "~/domain/status";
import { toLocalInput } from "~/domain/time-zone";
import { useTranslation } from "~/i18n/use-translation";

/** What the head of a visitor's page says. */
export interface VisitHeaderProps {
  readonly event: {
    readonly name: string;
    readonly detail: string;
    readonly startDate: Instant | null;
    readonly endDate: Instant | null;
  };
  readonly preview: boolean;
  readonly timeZone: string;
  /** An address of this page with what is shown now added to it: the tag that is open, the view. */
  carry(href: string): string;
}

/** What an event is: its name, when it is open, and what its owner says of it. */
export function VisitHeader({ event, preview, timeZone, carry }: VisitHeaderProps) {
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  const languages = useRef<HTMLDivElement>(null);
  useCarriedLinks(languages, carry);
  return (
    <header className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {preview ? <StatusBadge statusId={EVENT_STATUS.preview} /> : <span />}
        <div ref={languages}>
          <LanguageSwitch lang={language} url={pathname + search} />
        </div>
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

/**
 * Lets the links inside an element lead to what is shown at the moment in which they are followed. The page's own address does not
 * know it: walking about is no navigation.
 */
function useCarriedLinks(element: RefObject<HTMLElement>, carry: (href: string) => string): void {
  const latest = useRef(carry);
  useEffect(() => {
    latest.current = carry;
  });
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const update = (event: Event) => {
      const link = (event.target as Element).closest("a");
      if (link) link.href = latest.current(link.href);
    };
    // Before any click, and so also for another tab; keys send a click alone.
    const signs = ["pointerdown", "click"];
    for (const sign of signs) target.addEventListener(sign, update);
    return () => {
      for (const sign of signs) target.removeEventListener(sign, update);
    };
  }, [element]);
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
