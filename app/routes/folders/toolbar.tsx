import type { ReactNode } from "react";
import { IconLink } from "~/components/button";
import { Icon } from "~/components/icon";
import { Menu, MenuLink } from "~/components/menus/menu";
import { type TreeListQuery, type TreeSortName, writeTreeSort } from "~/domain/folders/tree-list.schema";
import { useTranslation } from "~/i18n/translation";
import { hrefWith } from "../shared/paging";

/** Sort orders in the menu. */
const ORDERS = ["name", "-name", "-updated", "updated", "-created", "created"] as const;

/** Address of the list in another order, starting at the first page. */
export function sortHref(list: URLSearchParams, sort: TreeSortName, direction: "asc" | "desc"): string {
  const params = new URLSearchParams(list);
  params.delete("cursor");
  const value = writeTreeSort(sort, direction);
  return hrefWith(params, "sort", value === "name" ? null : value);
}

export interface TreeToolbarProps {
  readonly query: Pick<TreeListQuery, "view" | "sort" | "direction">;
  /** Query of the list. */
  readonly list: URLSearchParams;
  /** False if the list has a fixed order. */
  readonly sorts?: boolean;
  /** Links to other lists. */
  readonly children?: ReactNode;
}

/** Sort order of a folder's content, and links to other lists. Everything is a link, so each has an address. */
export function TreeToolbar({ query, list, sorts = true, children }: TreeToolbarProps) {
  const { t } = useTranslation();
  const { view, sort, direction } = query;
  const current = writeTreeSort(sort, direction) as (typeof ORDERS)[number];
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-2 max-lg:-ml-3">
      {children}
      {sorts && (
        <Menu
          align="start"
          triggerClassName="px-3 font-semibold"
          trigger={
            <>
              <Icon name="sort" />
              {t("folders:sort", { order: t(`folders:order.${current}`) })}
            </>
          }
        >
          {ORDERS.map((order) => {
            const by = order.replace("-", "") as TreeSortName;
            return (
              <MenuLink
                key={order}
                href={sortHref(list, by, order.startsWith("-") ? "desc" : "asc")}
                current={order === current}
                keepScroll
              >
                {t(`folders:order.${order}`)}
              </MenuLink>
            );
          })}
        </Menu>
      )}
      {view === "rows" ? (
        <IconLink icon="grid" label={t("folders:cards")} href={hrefWith(list, "view", null)} keepScroll />
      ) : (
        <IconLink icon="rows" label={t("folders:rows")} href={hrefWith(list, "view", "rows")} keepScroll />
      )}
    </div>
  );
}
