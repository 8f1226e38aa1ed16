import { useEffect, useRef } from "react";
import { Anchor } from "~/components/anchor";
import { useTranslation } from "~/i18n/use-translation";
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
  // There are more of them than fit: the one that is open is to be seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another panel is another tab
  useEffect(() => {
    const tabs = list.current;
    const tab = tabs?.querySelector("[aria-current]");
    if (!tabs || !tab) return;
    const [whole, own] = [tabs.getBoundingClientRect(), tab.getBoundingClientRect()];
    tabs.scrollLeft += Math.max(0, own.right - whole.right) + Math.min(0, own.left - whole.left);
  }, [panel]);
  return (
    <nav aria-label={t("editor.panels.label")} className="border-b border-line">
      <ul ref={list} className="-mb-px flex overflow-x-auto px-2.5 sm:px-4">
        {PANELS.map((each) => (
          <li key={each}>
            <Anchor
              href={panelHref(each)}
              aria-current={each === panel ? "page" : undefined}
              keepScroll
              className={`inline-flex min-h-11 items-center gap-1.5 border-b-2 px-1.5 text-sm sm:px-2 whitespace-nowrap no-underline -outline-offset-2 ${each === panel ? "border-accent font-semibold text-ink" : "border-transparent text-muted hover:border-edge hover:text-ink"}`}
            >
              {t(`editor.panels.${each}`)}
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
