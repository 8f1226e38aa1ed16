import { useLocation, useNavigate } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";
import { Icon } from "~/components/icon";
import { LanguageSwitch } from "~/components/language-switch";
import { later } from "~/i18n/later";
import { useTranslation } from "~/i18n/translation";

const PreviewBadge = later(() => import("./preview-badge"));

/** What the head of a visitor's page says. */
export interface VisitHeaderProps {
  readonly event: {
    readonly name: string;
    readonly detail: string;
    /** When it is open, in words; empty without dates. */
    readonly period: string;
    readonly timeZone: string;
  };
  readonly preview: boolean;
  /** The path of the page's own share dialog; null where there is nothing to share. */
  readonly shareHref: string | null;
  /** An address of this page with what is shown now added to it: the tag that is open, the view. */
  carry(href: string): string;
}

/** What an event is: its name, when it is open, and what its owner says of it. */
export function VisitHeader({ event, preview, shareHref, carry }: VisitHeaderProps) {
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  const tools = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useCarriedLinks(tools, carry);
  return (
    <header className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {preview ? <PreviewBadge /> : <span />}
        <div ref={tools} className="flex items-center gap-2">
          {shareHref && (
            <a
              href={shareHref}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                // The page stays as it is, and so does the space.
                const { pathname, search } = new URL(carry(new URL(shareHref, window.location.href).href));
                navigate(pathname + search, { preventScrollReset: true });
              }}
              className="inline-flex min-h-10 items-center gap-2 rounded px-2 text-sm font-semibold hover:bg-surface"
            >
              <Icon name="share" />
              {t("visitors:share")}
            </a>
          )}
          <LanguageSwitch lang={language} url={pathname + search} />
        </div>
      </div>
      <h1 className="text-xl leading-title font-semibold [overflow-wrap:anywhere]">{event.name}</h1>
      {event.period && (
        <p className="flex items-start gap-2 text-sm text-muted">
          <Icon name="calendar" size={16} className="mt-[calc((1lh-1rem)/2)]" />
          <span className="[word-break:keep-all]">
            <span className="sr-only">{t("visitors:period")} </span>
            {event.period} <span className="text-xs">({event.timeZone})</span>
          </span>
        </p>
      )}
      {preview && <p className="text-sm text-muted">{t("visitors:previewNote")}</p>}
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
