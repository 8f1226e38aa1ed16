import { Anchor } from "~/components/anchor";
import { Card, CardGrid } from "~/components/card";
import { DateTime, useDateWords } from "~/components/date-time";
import { FolderTile, FolderTiles } from "~/components/folder-tile";
import { Icon } from "~/components/icon";
import { type Column, Table } from "~/components/table";
import { atWidth, pictureSet } from "~/domain/media-address";
import { toLocalInput } from "~/domain/time-zone";
import {
  naturalTreeDirection,
  type TreeListQuery,
  type TreeSortName,
  writeTreeRef,
} from "~/domain/tree-list.schema";
import { useTranslation } from "~/i18n/use-translation";
import type { FolderItem } from "../tree/item";
import { ItemMenu, ItemTick, SharedMark } from "../tree/item-parts";
import { sortHref } from "../tree/toolbar";
import type { SpaceItem } from "./read.server";

export type ListItem = FolderItem | SpaceItem;

export interface ListViewProps {
  readonly items: readonly ListItem[];
  readonly timeZone: string;
  /** The address of the list of all its folders. */
  readonly listHref: string;
  /** The list's own address. */
  readonly list: URLSearchParams;
  /** Things that are ticked at first. */
  readonly chosen: readonly string[];
}

const hrefOf = (item: ListItem, listHref: string) =>
  item.kind === "space" ? `/space/${item.id}` : `${listHref}/folders/${item.id}`;

/** What a card says of a space. */
export function SpaceMeta({ space, timeZone }: { readonly space: SpaceItem; readonly timeZone: string }) {
  const { t } = useTranslation();
  const words = useDateWords();
  return (
    <span className="flex flex-wrap gap-x-3">
      <span>{t(`spaces.kind.${space.source}`)}</span>
      <span className="tabular-nums">{t("spaces.events", { count: space.eventCount })}</span>
      <span>
        {t("spaces.updated", { date: words(toLocalInput(space.updatedAt, timeZone), { time: false }) })}
      </span>
      {space.isShared && <SharedMark />}
    </span>
  );
}

export const pictureOf = ({ picture }: SpaceItem) =>
  picture
    ? {
        src: atWidth(picture, 320),
        srcSet: pictureSet(picture, [320, 640]),
        sizes: "(min-width: 40rem) 20rem, 100vw",
        width: 1600,
        height: 900,
      }
    : null;

/** A folder's content: a row of folders, then spaces by their pictures. */
export function Cards({ items, timeZone, listHref, list, chosen }: ListViewProps) {
  const { t } = useTranslation();
  const folders = items.filter((item) => item.kind === "folder");
  const spaces = items.filter((item) => item.kind === "space");
  const parts = (item: ListItem) => ({
    select: <ItemTick item={item} checked={chosen.includes(writeTreeRef(item))} />,
    actions: <ItemMenu item={item} list={list} />,
  });
  return (
    <>
      {folders.length > 0 && (
        <FolderTiles label={t("tree.folders")}>
          {folders.map((folder) => (
            <li
              key={folder.id}
              draggable
              data-item={writeTreeRef(folder)}
              data-folder={folder.id}
              className="rounded-lg data-over:bg-accent/12 data-over:outline-2 data-over:outline-accent"
            >
              <FolderTile
                name={folder.name}
                href={hrefOf(folder, listHref)}
                meta={folder.isShared && <SharedMark />}
                {...parts(folder)}
              />
            </li>
          ))}
        </FolderTiles>
      )}
      {spaces.length > 0 && (
        <CardGrid>
          {spaces.map((space) => (
            <li key={space.id} draggable data-item={writeTreeRef(space)}>
              <Card
                title={space.name}
                href={hrefOf(space, listHref)}
                picture={pictureOf(space)}
                meta={<SpaceMeta space={space} timeZone={timeZone} />}
                {...parts(space)}
              />
            </li>
          ))}
        </CardGrid>
      )}
    </>
  );
}

export interface RowsProps extends ListViewProps {
  readonly query: Pick<TreeListQuery, "sort" | "direction">;
}

/** The same as a table, whose heads sort it. */
export function Rows({ items, timeZone, listHref, list, chosen, query }: RowsProps) {
  const { t } = useTranslation();
  const sorted = (sort: TreeSortName): Column<ListItem>["sort"] => {
    const isCurrent = query.sort === sort;
    const other = query.direction === "asc" ? "desc" : "asc";
    return {
      href: sortHref(list, sort, isCurrent ? other : naturalTreeDirection(sort)),
      direction: isCurrent ? query.direction : undefined,
    };
  };
  return (
    <Table
      caption={t("spaces.listCaption")}
      rows={items}
      rowKey={writeTreeRef}
      actions={(item) => <ItemMenu item={item} list={list} />}
      columns={[
        {
          key: "name",
          header: t("tree.colName"),
          sort: sorted("name"),
          cell: (item) => (
            <span
              draggable
              data-item={writeTreeRef(item)}
              data-folder={item.kind === "folder" ? item.id : undefined}
              className="flex min-h-10 items-center gap-2 rounded data-over:bg-accent/12"
            >
              <ItemTick item={item} checked={chosen.includes(writeTreeRef(item))} />
              <Icon name={item.kind === "folder" ? "folder" : "cube"} className="text-muted" />
              <Anchor
                href={hrefOf(item, listHref)}
                className="inline-flex min-h-10 items-center font-semibold text-ink underline-offset-4 hover:underline"
              >
                {item.name}
              </Anchor>
            </span>
          ),
        },
        {
          key: "kind",
          header: t("tree.colKind"),
          phone: "word",
          cell: (item) => (item.kind === "space" ? t(`spaces.kind.${item.source}`) : t("tree.kind.folder")),
        },
        {
          key: "events",
          header: t("spaces.detail.eventCount"),
          align: "end",
          phone: "pair",
          cell: (item) => (item.kind === "space" ? item.eventCount : ""),
        },
        {
          key: "shared",
          header: t("spaces.sharing.title"),
          phone: "word",
          cell: (item) => (item.isShared ? <SharedMark /> : ""),
        },
        {
          key: "updated",
          header: t("tree.colUpdated"),
          sort: sorted("updated"),
          phone: "pair",
          cell: (item) => <DateTime instant={item.updatedAt} timeZone={timeZone} time={false} />,
        },
      ]}
    />
  );
}
