import { SubNav } from "~/components/menus/sub-nav";
import { useTranslation } from "~/i18n/translation";

export interface SpaceTabsProps {
  readonly spaceId: string;
  readonly tab: "events" | "settings";
}

/** Tabs of a space: its events and its settings, with a link to its report. */
export function SpaceTabs({ spaceId, tab }: SpaceTabsProps) {
  const { t } = useTranslation();
  const href = `/space/${spaceId}`;
  return (
    <SubNav
      label={t("shared-owners:spaceTabs.label")}
      items={[
        { href, label: t("shared-owners:spaceTabs.events"), current: tab === "events" },
        {
          href: `${href}/settings`,
          label: t("shared-owners:spaceTabs.settings"),
          current: tab === "settings",
        },
        { href: `${href}/report`, label: t("shared-owners:reportTitle"), current: false },
      ]}
    />
  );
}
