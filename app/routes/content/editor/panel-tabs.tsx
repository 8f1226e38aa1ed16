import { Anchor } from "~/components/anchor";
import { cx } from "~/components/classes";
import { LinkTabs } from "~/components/menus/link-tabs";
import { useTranslation } from "~/i18n/translation";
import { PANEL_GROUPS, type Panel, panelHref } from "./panels";

export interface PanelTabsProps {
  readonly panel: Panel;
  readonly counts: Partial<Record<Panel, number>>;
}

/** Tabs of the groups of panels, and below them links to the panels of the current group. Each panel has an address and works without scripts. */
export function PanelTabs({ panel, counts }: PanelTabsProps) {
  const { t } = useTranslation();
  const current = PANEL_GROUPS.findIndex(({ panels }) => panels.some((each) => each === panel));
  const parts: readonly Panel[] = PANEL_GROUPS[current]?.panels ?? [];
  return (
    <>
      <LinkTabs
        label={t("content:panels.label")}
        tabs={PANEL_GROUPS.map(({ name, panels }) => ({
          href: panelHref(panels[0]),
          label: t(`content:panelGroups.${name}`),
        }))}
        current={current}
      />
      {parts.length > 1 && (
        <nav
          aria-label={t(`content:panelGroups.${PANEL_GROUPS[current]?.name ?? "details"}`)}
          className="px-4 pt-2 sm:px-6"
        >
          <ul className="flex gap-1">
            {parts.map((each) => (
              <li key={each}>
                <Anchor
                  href={panelHref(each)}
                  keepScroll
                  aria-current={each === panel ? "page" : undefined}
                  className={cx(
                    "inline-flex min-h-10 items-center gap-1.5 rounded px-3 text-sm no-underline",
                    each === panel ? "bg-ink/7 font-semibold text-ink" : "text-muted hover:bg-ink/7",
                  )}
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
      )}
    </>
  );
}
