import { useEffect, useState } from "react";
import { LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { LanguageSwitch } from "~/components/menus/language-switch";
import { VersionText } from "~/components/version-text";
import { DAY_MS } from "~/domain/shared/day";
import { useTranslation } from "~/i18n/translation";
import { Cover } from "./cover";

/** Data of the page of an event whose link is closed, with its texts in the page's language. */
export interface ClosedEventProps {
  /** The event's name, or a general title if only the event's password gives access to the name. */
  readonly title: string;
  /** URL of the cover image, to which a width is added; null for none. */
  readonly cover: string | null;
  /** Company or name of the event's owner; null if it is not shown. */
  readonly organizer: string | null;
  /** States when the event opens, or that it has ended. */
  readonly text: string;
  /** When it opens, in epoch milliseconds; null for an event that has ended. */
  readonly opensAt: number | null;
  /** Server time for which the page was rendered, in epoch milliseconds. */
  readonly now: number;
  /** URL of the calendar file; null for an event that has ended. */
  readonly calendarHref: string | null;
  /** The visitor's link. */
  readonly href: string;
  /** Path and query of the page, for the language switch. */
  readonly url: string;
  readonly version: string | null;
}

/** Page of an event whose link is closed, for visitors with the right token. */
export function ClosedEventPage(props: ClosedEventProps) {
  const { title, cover, organizer, text, opensAt, now, calendarHref, href, url, version } = props;
  const { t, language } = useTranslation();
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto grid min-h-dvh w-full max-w-xl content-center gap-6 px-4 py-8"
    >
      {cover && <Cover url={cover} />}
      <header className="grid gap-1">
        <h1 className="text-xl leading-title font-semibold wrap-anywhere">{title}</h1>
        {organizer && <p className="text-muted wrap-anywhere">{organizer}</p>}
      </header>
      <div className="grid gap-2">
        <p className="flex items-start gap-2 text-base">
          <Icon name="clock" className="mt-[calc((1lh-1.25rem)/2)] text-accent" />
          <span className="text-phrase">{text}</span>
        </p>
        {opensAt !== null && <Countdown until={opensAt} now={now} href={href} />}
      </div>
      {calendarHref && (
        <div className="flex flex-wrap gap-2">
          <LinkButton href={calendarHref} variant="primary" icon="calendar" download reload>
            {t("visitors-late:closed.calendar")}
          </LinkButton>
          <LinkButton href={href} variant="quiet" reload>
            {t("visitors-late:closed.again")}
          </LinkButton>
        </div>
      )}
      <footer className="grid gap-2 border-t border-line pt-4 text-xs text-faint">
        <LanguageSwitch lang={language} url={url} />
        <VersionText version={version} />
      </footer>
    </main>
  );
}

const SECOND_MS = 1_000;

interface CountdownProps {
  readonly until: number;
  readonly now: number;
  readonly href: string;
}

/** Shows the time until the event opens, by the server's clock; requires scripts. Two seconds after zero it navigates to the event. */
function Countdown({ until, now, href }: CountdownProps) {
  const { t } = useTranslation();
  const [remainingMs, setRemainingMs] = useState<number | null>(null);
  useEffect(() => {
    // By a clock that is ahead, the page would open the link too early, and the server would redirect back to it repeatedly.
    const clockLeadMs = Date.now() - now;
    const tick = () => {
      const untilOpenMs = until + clockLeadMs - Date.now();
      setRemainingMs(Math.max(0, untilOpenMs));
      if (untilOpenMs > 0) return;
      clearInterval(timer);
      opening = setTimeout(() => location.assign(href), 2 * SECOND_MS);
    };
    let opening: ReturnType<typeof setTimeout> | undefined;
    const timer = setInterval(tick, SECOND_MS);
    tick();
    return () => {
      clearInterval(timer);
      clearTimeout(opening);
    };
  }, [until, now, href]);
  if (remainingMs === null) return null;
  const time = new Date(remainingMs % DAY_MS).toISOString().slice(11, 19);
  const count = Math.floor(remainingMs / DAY_MS);
  return (
    <p role="timer" className="text-2xl font-semibold tabular-nums">
      {count > 0
        ? t("visitors-late:closed.days", { count, time })
        : t("visitors-late:closed.hours", { time })}
    </p>
  );
}
