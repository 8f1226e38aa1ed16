import { useLocation, useNavigate } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";
import { Icon } from "~/components/icon";
import { LanguageSwitch } from "~/components/menus/language-switch";
import type { inLanguage } from "~/domain/shared/localized";
import { createLatePart } from "~/i18n/late-part";
import { useTranslation } from "~/i18n/translation";

const PreviewBadge = createLatePart(() => import("./preview-badge"));

/** Data of the head of a visitor's page. */
export interface VisitHeaderProps {
  readonly event: {
    readonly name: ReturnType<typeof inLanguage>;
    readonly detail: ReturnType<typeof inLanguage>;
    /** Formatted period in which the event is open; empty without dates. */
    readonly period: string;
    /** Name of the zone of the period: "Japan time". */
    readonly timeZone: string;
  };
  readonly preview: boolean;
  /** Path of the share dialog; null in the owner's preview, whose URL is not a visitor's. */
  readonly shareHref: string | null;
  /** Adds the open entry, the current view, the search and the cart to a URL of this page. */
  withCurrentView(href: string): string;
}

/** Head of an event: the tools to share it and to change the language, its name, its period, and its description. */
export function VisitHeader({ event, preview, shareHref, withCurrentView }: VisitHeaderProps) {
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  const tools = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useCurrentViewLinks(tools, withCurrentView);
  return (
    <header className="grid gap-4">
      <div ref={tools} className="flex flex-wrap items-center justify-end gap-2">
        {preview && (
          <span className="mr-auto">
            <PreviewBadge />
          </span>
        )}
        {shareHref === null ? (
          <span className="inline-flex min-h-10 items-center gap-2 px-2 text-sm whitespace-nowrap text-faint">
            <Icon name="share" />
            {t("visitors:shareOff")}
          </span>
        ) : (
          <a
            href={shareHref}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
              event.preventDefault();
              // The navigation keeps the page and the space as they are.
              const target = new URL(withCurrentView(new URL(shareHref, window.location.href).href));
              navigate(target.pathname + target.search, { preventScrollReset: true });
            }}
            className="inline-flex min-h-10 items-center gap-2 rounded px-2 text-sm font-semibold hover:bg-surface"
          >
            <Icon name="share" />
            {t("visitors:share")}
          </a>
        )}
        <LanguageSwitch lang={language} url={pathname + search} />
      </div>
      <h1 dir="auto" lang={event.name.lang} className="text-xl leading-title font-semibold wrap-anywhere">
        {event.name.text}
      </h1>
      {event.period && (
        <p className="flex items-start gap-2 text-sm text-muted">
          <Icon name="calendar" size={16} className="mt-[calc((1lh-1rem)/2)]" />
          <span className="[word-break:keep-all]">
            <span className="sr-only">{t("visitors:period")} </span>
            {event.period}
            <span className="text-xs">{t("visitors:inZone", { zone: event.timeZone })}</span>
          </span>
        </p>
      )}
      {preview && <p className="text-sm text-muted">{t("visitors:previewNote")}</p>}
      {event.detail.text && (
        <p lang={event.detail.lang} className="long-text max-w-prose">
          {event.detail.text}
        </p>
      )}
    </header>
  );
}

/**
 * Adds the current view to a link's URL at the moment of the click. The page's URL does not contain the view, because moving is not a
 * navigation.
 */
function useCurrentViewLinks(
  element: RefObject<HTMLElement>,
  withCurrentView: (href: string) => string,
): void {
  const latestFunction = useRef(withCurrentView);
  useEffect(() => {
    latestFunction.current = withCurrentView;
  });
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const update = (event: Event) => {
      const link = (event.target as Element).closest("a");
      if (link) link.href = latestFunction.current(link.href);
    };
    // pointerdown precedes every click, including one that opens another tab; the keyboard sends only a click.
    const eventNames = ["pointerdown", "click"];
    for (const eventName of eventNames) target.addEventListener(eventName, update);
    return () => {
      for (const eventName of eventNames) target.removeEventListener(eventName, update);
    };
  }, [element]);
}
