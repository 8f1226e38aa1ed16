import { useEffect, useRef } from "react";
import { Anchor } from "~/components/anchor";
import { useTranslation } from "~/i18n/translation";
import { PANELS, type Panel, panelHref } from "./panels";

/** The parts of the editor's panel, as links: each has an address, and works without scripts. */
export function PanelTabs({
  panel,
  counts,
}: {
  readonly panel: Panel;
  readonly counts: Partial<Record<Panel, number>>;
}) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each panel
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    // On a phone they are one row that goes on beyond the screen. Not scrollIntoView, which would move the page as well.
    if (list.current && current)
      list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.offsetWidth) / 2;
  }, [panel]);
  return (
    <nav aria-label={t("content:panels.label")} className="border-b border-line">
      <ul
        ref={list}
        className="-mb-px flex flex-wrap px-2.5 max-lg:portrait:flex-nowrap max-lg:portrait:overflow-x-auto sm:px-4"
      >
        {PANELS.map((each) => (
          <li key={each}>
            <Anchor
              href={panelHref(each)}
              aria-current={each === panel ? "page" : undefined}
              keepScroll
              className={`inline-flex min-h-11 items-center gap-1.5 border-b-2 px-1.5 text-sm sm:px-2 whitespace-nowrap no-underline -outline-offset-2 ${each === panel ? "border-accent font-semibold text-ink" : "border-transparent text-muted hover:border-edge hover:text-ink"}`}
            >
              {t(`content:panels.${each}`)}
              {counts[each] !== undefined && (
                <span className="text-xs font-normal text-muted tabular-nums">{counts[each]}</span>
              )}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
