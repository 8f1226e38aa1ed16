import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { Menu, MenuDivider, MenuLink } from "~/components/menus/menu";
import { SubNav } from "~/components/menus/sub-nav";
import { PageHeader } from "~/components/page-header";
import { useTranslation } from "~/i18n/translation";
import { ItemMenuEntries, type ListedItem } from "../../folders/item-parts";
import type { SpaceSharing } from "./audience";

export interface SpaceHeaderProps {
  readonly space: {
    readonly item: ListedItem;
    readonly id: string;
    readonly name: string;
    readonly mayChange: boolean;
    readonly mayExport: boolean;
  };
  readonly crumbs: readonly { readonly label: string; readonly href: string }[];
  readonly tab: "events" | "settings";
  readonly sharing: SpaceSharing;
  /** Query of the list of events. */
  readonly listParams?: URLSearchParams;
  readonly action?: ReactNode;
}

/** Header of a space's page: its folders, name, primary action, sharing, a menu with the other actions, and tabs. */
export function SpaceHeader({ space, crumbs, tab, sharing, listParams, action }: SpaceHeaderProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const spaceHref = `/space/${space.id}`;
  const backQuery = new URLSearchParams({ back: listParams?.size ? `${pathname}?${listParams}` : pathname });
  return (
    <div className="grid gap-3">
      <PageHeader
        title={space.name}
        breadcrumbs={crumbs.map(({ label, href }) => ({ label: label || t("spaces:title"), href }))}
        badge={sharing.shared && <SpaceSharingMark sharing={sharing} />}
        action={action}
        menu={
          <>
            {sharing.href && (
              <LinkButton icon="users" href={`${sharing.href}?${backQuery}`}>
                {t("folders:share")}
              </LinkButton>
            )}
            <Menu trigger={<Icon name="more" />} label={t("shared-owners:moreActions")}>
              {space.mayChange && (
                <>
                  <MenuLink icon="picture" href={`${spaceHref}/picture`}>
                    {t("spaces:sources.changeImage")}
                  </MenuLink>
                  <MenuLink icon="cube" href={`${spaceHref}/source`}>
                    {t("spaces:sources.change")}
                  </MenuLink>
                </>
              )}
              <ItemMenuEntries
                item={space.item}
                listParams={listParams ?? new URLSearchParams()}
                page={spaceHref}
                hasShareButton={sharing.href !== null}
              >
                {space.mayExport && (
                  <>
                    <MenuDivider />
                    <MenuLink icon="download" href={`${spaceHref}/export`} download>
                      {t("shared-owners:transfer.export")}
                    </MenuLink>
                    <MenuLink icon="upload" href={`/imports/new?space=${space.id}`}>
                      {t("shared-owners:transfer.importEvent")}
                    </MenuLink>
                  </>
                )}
              </ItemMenuEntries>
            </Menu>
          </>
        }
      />
      <SpaceTabs spaceId={space.id} tab={tab} />
    </div>
  );
}

/** Names the group with which the space is shared. */
function SpaceSharingMark({ sharing: { group } }: { readonly sharing: SpaceSharing }) {
  const { t } = useTranslation();
  return (
    <p className="inline-flex min-h-10 items-center gap-2 text-sm text-muted">
      <Icon name="users" size={16} className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {group ? t("spaces:sharing.sharedWith", { name: group }) : t("spaces:sharing.sharedWithYours")}
      </span>
    </p>
  );
}

/** Tabs of a space: its events and its settings, with a link to its report. */
function SpaceTabs({ spaceId, tab }: Pick<SpaceHeaderProps, "tab"> & { readonly spaceId: string }) {
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
