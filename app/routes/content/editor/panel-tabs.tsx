import { LinkTabs } from "~/components/menus/link-tabs";
import { useTranslation } from "~/i18n/translation";
import { PANELS, type Panel, panelHref } from "./panels";

/** Tabs of the editor's panel. They are links, so each has an address and works without scripts. */
export function PanelTabs({
  panel,
  counts,
}: {
  readonly panel: Panel;
  readonly counts: Partial<Record<Panel, number>>;
}) {
  const { t } = useTranslation();
  const tabs = PANELS.map((each) => ({
    href: panelHref(each),
    label: (
      <>
        {t(`content:panels.${each}`)}
        {counts[each] !== undefined && (
          <span className="text-xs font-normal text-muted tabular-nums">{counts[each]}</span>
        )}
      </>
    ),
  }));
  return <LinkTabs label={t("content:panels.label")} tabs={tabs} current={PANELS.indexOf(panel)} />;
}
