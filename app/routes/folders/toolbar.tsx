import type { ReactNode } from "react";
import { Icon, type IconName } from "~/components/icon";
import { Menu, MenuDivider, MenuGroup, MenuLink } from "~/components/menus/menu";
import { type TreeListQuery, type TreeSortName, writeTreeSort } from "~/domain/folders/tree-list.schema";
import { useTranslation } from "~/i18n/translation";
import { hrefWith } from "../shared/href-with";
import { ItemMenuEntries, type ListedItem } from "./item-parts";

/** Sort orders in the menu. */
const ORDERS = ["name", "-name", "-updated", "updated", "-created", "created"] as const;

/** URL of the list in another order, starting at the first page. */
export function sortHref(listParams: URLSearchParams, sort: TreeSortName, direction: "asc" | "desc"): string {
  const params = new URLSearchParams(listParams);
  params.delete("cursor");
  const value = writeTreeSort(sort, direction);
  return hrefWith(params, "sort", value === "name" ? null : value);
}

export interface ListMenuEntriesProps {
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** URL of the list's root. */
  readonly listHref: string;
  /** Whether the page lists a folder, and not all items or the results of a search. */
  readonly isFolder: boolean;
  /** Displayed folder below the root; null if there is none. */
  readonly folder: ListedItem | null;
  /** Whether the actor may see all items of the owner. */
  readonly seesAll: boolean;
  /** Icon and label of the link to all items. */
  readonly all: { readonly icon: IconName; readonly label: string };
  /** Further entries of a folder. */
  readonly children: ReactNode;
}

/** Entries of the menu with further actions: those of a folder, and links to all items and to the trash. */
export function ListMenuEntries(props: ListMenuEntriesProps) {
  const { listParams, listHref, isFolder, folder, seesAll, all, children } = props;
  const { t } = useTranslation();
  return (
    <>
      {isFolder && (
        <>
          <MenuLink icon="folder" href={hrefWith(listParams, "dialog", "new-folder")} keepScroll>
            {t("folders:newFolder")}
          </MenuLink>
          {children}
          {folder && (
            <>
              <MenuDivider />
              <ItemMenuEntries item={folder} listParams={listParams} />
            </>
          )}
          <MenuDivider />
        </>
      )}
      <MenuLink icon={all.icon} href={`${listHref}?show=all`} current={!isFolder}>
        {all.label}
      </MenuLink>
      {seesAll && (
        <MenuLink icon="trash" href={`${listHref}?show=trash`}>
          {t("folders:trash")}
        </MenuLink>
      )}
    </>
  );
}

export interface TreeToolbarProps {
  readonly query: Pick<TreeListQuery, "view" | "sort" | "direction">;
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** False if the list has a fixed order. */
  readonly canSort: boolean;
  /** Search field of the list. */
  readonly search: ReactNode;
  /** Filter of the list: the entries, and the label of the menu while a filter is set. */
  readonly filter?: { readonly entries: ReactNode; readonly label: string | null };
  /** Entries of the menu with further actions; it must not be empty. */
  readonly otherActions: ReactNode;
  /** Button that creates or uploads items. */
  readonly action: ReactNode;
}

/** Toolbar above a list of a folder tree. Its sort orders, filters and layouts are links, so that each list has a URL. */
export function TreeToolbar({
  query,
  listParams,
  canSort,
  search,
  filter,
  otherActions,
  action,
}: TreeToolbarProps) {
  const { t } = useTranslation();
  const { view, sort, direction } = query;
  const currentOrder = writeTreeSort(sort, direction) as (typeof ORDERS)[number];
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48">{search}</div>
      <Menu
        align="start"
        triggerClassName="px-3 font-semibold max-sm:pl-0"
        trigger={
          <>
            <Icon name="sort" />
            {filter?.label ?? t("folders:view")}
          </>
        }
      >
        {filter?.entries}
        {canSort && (
          <MenuGroup label={t("folders:orderBy")}>
            {ORDERS.map((order) => {
              const sortName = order.replace("-", "") as TreeSortName;
              return (
                <MenuLink
                  key={order}
                  href={sortHref(listParams, sortName, order.startsWith("-") ? "desc" : "asc")}
                  current={order === currentOrder}
                  keepScroll
                >
                  {t(`folders:order.${order}`)}
                </MenuLink>
              );
            })}
          </MenuGroup>
        )}
        <MenuGroup label={t("folders:layout")}>
          <MenuLink
            icon="grid"
            href={hrefWith(listParams, "view", null)}
            current={view !== "rows"}
            keepScroll
          >
            {t("folders:cards")}
          </MenuLink>
          <MenuLink
            icon="rows"
            href={hrefWith(listParams, "view", "rows")}
            current={view === "rows"}
            keepScroll
          >
            {t("folders:rows")}
          </MenuLink>
        </MenuGroup>
      </Menu>
      <div className="ml-auto flex gap-2">
        <Menu trigger={<Icon name="more" />} label={t("shared-owners:moreActions")}>
          {otherActions}
        </Menu>
      </div>
      {action}
    </div>
  );
}
