import { Anchor } from "~/components/anchor";
import { DateTime } from "~/components/date-time";
import { FolderTile, FolderTiles } from "~/components/folder-tile";
import { Icon, type IconName } from "~/components/icon";
import { type Column, Table } from "~/components/table";
import {
  defaultTreeDirection,
  type TreeListQuery,
  type TreeSortName,
  writeTreeRef,
} from "~/domain/folders/tree-list.schema";
import { useTranslation } from "~/i18n/translation";
import type { FolderItem } from "./item";
import { ItemMenu, ItemTick, type ListedItem, type LocatedItem, PlaceLink, SharedMark } from "./item-parts";
import { SameNameMark } from "./same-names";
import { sortHref } from "./toolbar";

/** Props of a list of a tree, for any type of item. */
export interface ListProps<Item> {
  readonly items: readonly Item[];
  readonly timeZone: string;
  /** URL of the list's root. */
  readonly listHref: string;
  /** Name of the list's root. */
  readonly rootLabel: string;
  /** Query of the list. */
  readonly list: URLSearchParams;
  /** Items that are selected initially. */
  readonly chosenRefs: readonly string[];
}

/** Checkbox and menu of an item. */
export const itemParts = (
  item: ListedItem,
  { list, chosenRefs }: Pick<ListProps<unknown>, "list" | "chosenRefs">,
) => ({
  select: <ItemTick item={item} checked={chosenRefs.includes(writeTreeRef(item))} />,
  actions: <ItemMenu item={item} list={list} />,
});

/** Row of folders above the other items. */
export function FolderRow({
  items,
  listHref,
  rootLabel,
  list,
  chosenRefs,
  timeZone,
}: ListProps<FolderItem & LocatedItem>) {
  const { t } = useTranslation();
  if (items.length === 0) return null;
  return (
    <FolderTiles label={t("folders:folders")}>
      {items.map((folder) => (
        <li
          key={folder.id}
          draggable
          data-item={writeTreeRef(folder)}
          data-folder={folder.id}
          className="rounded-lg data-over:bg-accent/12 data-over:outline-2 data-over:outline-accent"
        >
          <FolderTile
            name={folder.name}
            href={`${listHref}/folders/${folder.id}`}
            meta={
              (folder.isShared || folder.place || folder.sameNamed) && (
                <span className="flex flex-wrap items-center gap-x-3">
                  {folder.isShared && <SharedMark />}
                  <PlaceLink item={folder} rootLabel={rootLabel} />
                  {folder.sameNamed && (
                    <SameNameMark
                      href={`${listHref}/folders/${folder.sameNamed.id}`}
                      other={folder.sameNamed}
                      timeZone={timeZone}
                    />
                  )}
                </span>
              )
            }
            {...itemParts(folder, { list, chosenRefs })}
          />
        </li>
      ))}
    </FolderTiles>
  );
}

interface RowItem extends ListedItem, LocatedItem {
  readonly isShared: boolean;
  readonly updatedAt: string;
}

export interface RowsProps<Item extends RowItem> extends ListProps<Item> {
  readonly caption: string;
  /** Sort order; null if the columns cannot be sorted. */
  readonly query: Pick<TreeListQuery, "sort" | "direction"> | null;
  readonly describeItem: (item: Item) => {
    readonly icon: IconName;
    readonly href: string;
    readonly kind: string;
  };
  /** Columns of the items in these folders. */
  readonly columns: readonly Column<Item>[];
}

/** Content of a folder as a table with sortable columns. */
export function Rows<Item extends RowItem>(props: RowsProps<Item>) {
  const { caption, items, timeZone, rootLabel, list, chosenRefs, query, describeItem, columns } = props;
  const { t } = useTranslation();
  const sorted = (sort: TreeSortName): Pick<Column<Item>, "sort"> => {
    if (query === null) return {};
    const isCurrent = query.sort === sort;
    const other = query.direction === "asc" ? "desc" : "asc";
    return {
      sort: {
        href: sortHref(list, sort, isCurrent ? other : defaultTreeDirection(sort)),
        direction: isCurrent ? query.direction : undefined,
      },
    };
  };
  return (
    <Table
      caption={caption}
      rows={items}
      rowKey={writeTreeRef}
      actions={(item) => <ItemMenu item={item} list={list} />}
      columns={[
        {
          key: "name",
          header: t("folders:colName"),
          ...sorted("name"),
          cell: (item) => (
            <span
              draggable
              data-item={writeTreeRef(item)}
              data-folder={item.kind === "folder" ? item.id : undefined}
              className="flex min-h-10 items-center gap-2 rounded data-over:bg-accent/12"
            >
              <span data-reveal="">
                <ItemTick item={item} checked={chosenRefs.includes(writeTreeRef(item))} />
              </span>
              <Icon name={describeItem(item).icon} className="text-muted" />
              <span className="min-w-0">
                <Anchor
                  href={describeItem(item).href}
                  data-main=""
                  className="flex min-h-10 w-fit items-center font-semibold text-ink wrap-anywhere hover:underline"
                >
                  {item.name}
                </Anchor>
                {item.sameNamed && (
                  <SameNameMark
                    href={describeItem({ ...item, id: item.sameNamed.id }).href}
                    other={item.sameNamed}
                    timeZone={timeZone}
                  />
                )}
              </span>
            </span>
          ),
        },
        {
          key: "kind",
          header: t("folders:colKind"),
          phone: "word",
          cell: (item) => <span className="whitespace-nowrap">{describeItem(item).kind}</span>,
        },
        ...columns,
        ...(items.some(({ place }) => place)
          ? [
              {
                key: "place",
                header: t("folders:inFolder"),
                phone: "word",
                cell: (item) => <PlaceLink item={item} rootLabel={rootLabel} />,
              } satisfies Column<Item>,
            ]
          : []),
        {
          key: "shared",
          header: t("spaces:sharing.title"),
          phone: "word",
          cell: (item) => (item.isShared ? <SharedMark /> : ""),
        },
        {
          key: "updated",
          header: t("folders:colUpdated"),
          ...sorted("updated"),
          phone: "pair",
          cell: (item) => <DateTime instant={item.updatedAt} timeZone={timeZone} time={false} />,
        },
      ]}
    />
  );
}
