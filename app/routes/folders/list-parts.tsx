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
import { FolderMeta } from "./folder-meta";
import type { FolderItem } from "./item";
import {
  countText,
  FolderLink,
  ItemMenu,
  ItemTick,
  type ListedItem,
  type LocatedItem,
  SharedMark,
} from "./item-parts";
import { SameNameMark } from "./same-names";
import { sortHref } from "./toolbar";

/** Props of a list of a folder tree, for any type of item. */
export interface ListProps<Item> {
  readonly items: readonly Item[];
  readonly timeZone: string;
  /** URL of the list's root. */
  readonly listHref: string;
  /** Name of the list's root. */
  readonly rootLabel: string;
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** Items that are selected initially, as values of their checkboxes. */
  readonly chosenRefs: readonly string[];
}

/** Checkbox and menu of an item, as properties of its card or tile. */
export const itemControls = (
  item: ListedItem,
  { listParams, chosenRefs }: Pick<ListProps<unknown>, "listParams" | "chosenRefs">,
) => ({
  select: <ItemTick item={item} checked={chosenRefs.includes(writeTreeRef(item))} />,
  actions: <ItemMenu item={item} listParams={listParams} />,
});

/** Row of folders above the other items. useDragToMove reads `data-item` and `data-folder`, and sets `data-over` on the folder under the pointer. */
export function FolderRow({
  items,
  listHref,
  rootLabel,
  listParams,
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
              <FolderMeta folder={folder} listHref={listHref} rootLabel={rootLabel} timeZone={timeZone} />
            }
            {...itemControls(folder, { listParams, chosenRefs })}
          />
        </li>
      ))}
    </FolderTiles>
  );
}

interface TreeRowItem extends ListedItem, LocatedItem, Partial<Pick<FolderItem, "itemCount">> {
  readonly isShared: boolean;
  readonly updatedAt: string;
}

export interface TreeRowsProps<Item extends TreeRowItem> extends ListProps<Item> {
  readonly caption: string;
  /** Null if the columns cannot be sorted. */
  readonly sortOrder: Pick<TreeListQuery, "sort" | "direction"> | null;
  readonly describeItem: (item: Item) => {
    readonly icon: IconName;
    readonly href: string;
    readonly kind: string;
  };
  /** Columns that only lists of this type of item have. */
  readonly columns: readonly Column<Item>[];
}

/**
 * List of a folder tree as a table. With a mouse, the style sheet shows elements with `data-reveal` while their row has the pointer or the
 * focus; keyboard shortcuts find an item's link by `data-main`, and useDragToMove uses `data-item`, `data-folder` and `data-over`.
 */
export function TreeRows<Item extends TreeRowItem>(props: TreeRowsProps<Item>) {
  const { caption, items, timeZone, rootLabel, listParams, chosenRefs, sortOrder, describeItem } = props;
  const { t } = useTranslation();
  const sortProps = (sort: TreeSortName): Pick<Column<Item>, "sort"> => {
    if (sortOrder === null) return {};
    const isCurrent = sortOrder.sort === sort;
    const oppositeDirection = sortOrder.direction === "asc" ? "desc" : "asc";
    return {
      sort: {
        href: sortHref(listParams, sort, isCurrent ? oppositeDirection : defaultTreeDirection(sort)),
        direction: isCurrent ? sortOrder.direction : undefined,
      },
    };
  };
  return (
    <Table
      caption={caption}
      rows={items}
      rowKey={writeTreeRef}
      actions={(item) => <ItemMenu item={item} listParams={listParams} />}
      columns={[
        {
          key: "name",
          header: t("folders:colName"),
          ...sortProps("name"),
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
                    namesake={item.sameNamed}
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
          phone: "value",
          cell: (item) => (
            <span className="whitespace-nowrap tabular-nums">
              {describeItem(item).kind}
              {item.itemCount && ` · ${countText(t, item.itemCount)}`}
            </span>
          ),
        },
        ...props.columns,
        ...(items.some(({ parentFolder }) => parentFolder)
          ? [
              {
                key: "folder",
                header: t("folders:inFolder"),
                phone: "value",
                cell: (item) => <FolderLink item={item} rootLabel={rootLabel} />,
              } satisfies Column<Item>,
            ]
          : []),
        {
          key: "shared",
          header: t("spaces:sharing.title"),
          phone: "value",
          cell: (item) => (item.isShared ? <SharedMark /> : ""),
        },
        {
          key: "updated",
          header: t("folders:colUpdated"),
          ...sortProps("updated"),
          phone: "header-and-value",
          cell: (item) => <DateTime instant={item.updatedAt} timeZone={timeZone} time={false} />,
        },
      ]}
    />
  );
}
