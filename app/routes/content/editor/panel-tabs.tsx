import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { Anchor, preventReload } from "~/components/anchor";
import { cx } from "~/components/cx";
import { LinkTabs } from "~/components/menus/link-tabs";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "./editor-context";
import { opensForm, PANEL_GROUPS, type Panel, panelHref } from "./panels";

export interface PanelTabsProps {
  readonly panel: Panel;
  /** Content beside the links of the group. */
  readonly children: ReactNode;
}

/** Tabs of the groups of panels, and below them links to the panels of the current group. Each panel has a URL and works without scripts. */
export function PanelTabs({ panel, children }: PanelTabsProps) {
  const { t } = useTranslation();
  const { tags, media, scene } = useEditorView().state.content;
  const counts: Partial<Record<Panel, number>> = {
    tags: tags.length,
    media: media.length,
    tour: scene.tour.length,
  };
  const currentIndex = PANEL_GROUPS.findIndex(({ panels }) =>
    panels.some((candidate) => candidate === panel),
  );
  // The link to the history is in the header's menu.
  const groupPanels = (PANEL_GROUPS[currentIndex]?.panels ?? []).filter(
    (candidate) => candidate !== "history",
  );
  // An open form has a link back to its list. Upright phones have no room for tabs above it.
  const isInForm = opensForm(useSearchParams()[0]);
  return (
    <div className="sticky top-0 z-20 bg-paper">
      <div className={isInForm ? "max-lg:portrait:hidden" : undefined}>
        <LinkTabs
          label={t("content:panels.label")}
          tabs={PANEL_GROUPS.map(({ name, panels }) => ({
            href: panelHref(panels[0]),
            label: t(`content:panelGroups.${name}`),
          }))}
          current={currentIndex}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line px-4 not-has-[*]:hidden sm:px-6">
        {groupPanels.length > 1 && !isInForm && (
          <nav
            aria-label={t(`content:panelGroups.${PANEL_GROUPS[currentIndex]?.name ?? "details"}`)}
            className="py-1"
          >
            <ul className="flex gap-1">
              {groupPanels.map((groupPanel) => (
                <li key={groupPanel}>
                  <Anchor
                    href={panelHref(groupPanel)}
                    keepScroll
                    onClick={preventReload}
                    aria-current={groupPanel === panel ? "page" : undefined}
                    className={cx(
                      "inline-flex min-h-10 items-center gap-1.5 rounded px-3 text-sm no-underline",
                      groupPanel === panel ? "bg-ink/7 font-semibold text-ink" : "text-muted hover:bg-ink/7",
                    )}
                  >
                    {t(`content:panels.${groupPanel}`)}
                    {counts[groupPanel] !== undefined && (
                      <span className="text-xs font-normal text-muted tabular-nums">
                        {counts[groupPanel]}
                      </span>
                    )}
                  </Anchor>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {children}
      </div>
    </div>
  );
}

/** Content of the open panel. */
export function PanelBody({ children }: { readonly children: ReactNode }) {
  return (
    <div
      id="panel"
      tabIndex={-1}
      className="flex flex-1 flex-col gap-6 px-4 pt-4 not-has-[[data-action-bar]]:pb-4 sm:px-6"
    >
      {children}
    </div>
  );
}
