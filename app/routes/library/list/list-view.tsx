import { Card } from "~/components/card";
import { Icon } from "~/components/icon";
import { type TreeListQuery, writeTreeRef } from "~/domain/folders/tree-list.schema";
import { formatDuration } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import type { FolderItem } from "../../folders/item";
import { FolderLink, type LocatedItem, SharedMark } from "../../folders/item-parts";
import { FolderRow, itemControls, type ListProps, TreeRows } from "../../folders/list-parts";
import { MEDIA_ICONS } from "../../visitors/media/media-icons";
import { HiddenMark, hiddenMark } from "./hidden-notice";
import type { MediaListItem } from "./read.server";

export type LibraryListItem = (FolderItem | MediaListItem) & LocatedItem;
export type LibraryListProps = ListProps<LibraryListItem>;

const itemHref = ({ id }: { readonly id: string }) => `/library/items/${id}`;

function Meta({
  item,
  rootLabel,
}: {
  readonly item: MediaListItem & LocatedItem;
  readonly rootLabel: string;
}) {
  const { t } = useTranslation();
  return (
    <span className="grid text-xs">
      <span className="flex flex-wrap gap-x-2 tabular-nums">
        <span>{t(`library:kindName.${item.mediaKind}`)}</span>
        {item.duration !== null && <span>{formatDuration(item.duration)}</span>}
        {item.size && <span>{item.size}</span>}
        {item.isShared && <SharedMark />}
        {item.hidden && <HiddenMark reason={item.hidden} name={item.fileName} />}
      </span>
      <FolderLink item={item} rootLabel={rootLabel} />
    </span>
  );
}

/** Folders, then media items with their thumbnails. */
export function MediaCards(props: LibraryListProps) {
  const { items } = props;
  const media = items.filter((item) => item.kind === "media");
  return (
    <>
      <FolderRow {...props} items={items.filter((item) => item.kind === "folder")} />
      {media.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,calc(50%-0.5rem)),1fr))] gap-x-4 gap-y-6 sm:gap-x-6">
          {media.map((item) => (
            <li key={item.id} draggable data-item={writeTreeRef(item)} className="min-w-0">
              <Card
                title={item.name}
                href={itemHref(item)}
                image={item.thumbnail === null ? null : { src: item.thumbnail, width: 320, height: 180 }}
                blank={<Icon name={MEDIA_ICONS[item.mediaKind]} size={40} />}
                meta={<Meta item={item} rootLabel={props.rootLabel} />}
                {...itemControls(item, props)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Folders and media items as a table. */
export function MediaRows({
  sortOrder,
  ...props
}: LibraryListProps & { readonly sortOrder: Pick<TreeListQuery, "sort" | "direction"> | null }) {
  const { t } = useTranslation();
  return (
    <TreeRows
      {...props}
      caption={t("library:listCaption")}
      sortOrder={sortOrder}
      describeItem={(item) =>
        item.kind === "media"
          ? {
              icon: MEDIA_ICONS[item.mediaKind],
              href: itemHref(item),
              kind: [
                t(`library:kindName.${item.mediaKind}`),
                ...(item.hidden ? [hiddenMark(item.hidden, item.fileName, t)] : []),
              ].join(" · "),
            }
          : { icon: "folder", href: `${props.listHref}/folders/${item.id}`, kind: t("folders:kind.folder") }
      }
      columns={[
        {
          key: "size",
          header: t("library:colSize"),
          align: "end",
          phone: "header-and-value",
          cell: (item) => (item.kind === "media" ? (item.size ?? "") : ""),
        },
      ]}
    />
  );
}
