import { Card, CardGrid } from "~/components/card";
import { useFormatDate } from "~/components/date-time";
import { type TreeListQuery, writeTreeRef } from "~/domain/folders/tree-list.schema";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import type { FolderItem } from "../../folders/item";
import { FolderLink, type LocatedItem, SharedMark } from "../../folders/item-parts";
import { FolderRow, itemControls, type ListProps, TreeRows } from "../../folders/list-parts";
import { SameNameMark } from "../../folders/same-names";
import { frameImage } from "../frame-image";
import type { SpaceItem } from "./read.server";

export type SpaceListItem = (FolderItem | SpaceItem) & LocatedItem;

/** Details of a space on its card. */
function SpaceMeta({ space, timeZone }: { readonly space: SpaceItem; readonly timeZone: string }) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  return (
    <span className="flex flex-wrap gap-x-3">
      <span>{t(`spaces:kind.${space.source}`)}</span>
      <span className="tabular-nums">{t("spaces:events", { count: space.eventCount })}</span>
      <span>
        {t("spaces:updated", { date: formatDate(toLocalInput(space.updatedAt, timeZone), { time: false }) })}
      </span>
      {space.isShared && <SharedMark />}
    </span>
  );
}

/** A row of folders, then spaces as cards with their thumbnails. */
export function SpaceCards(props: ListProps<SpaceListItem>) {
  const { items, timeZone } = props;
  const spaces = items.filter((item) => item.kind === "space");
  return (
    <>
      <FolderRow {...props} items={items.filter((item) => item.kind === "folder")} />
      {spaces.length > 0 && (
        <CardGrid>
          {spaces.map((space) => (
            <li key={space.id} draggable data-item={writeTreeRef(space)}>
              <Card
                title={space.name}
                href={`/space/${space.id}`}
                image={frameImage(space.thumbnail, [320, 640], "(min-width: 40rem) 20rem, 100vw")}
                meta={
                  <span className="grid">
                    <SpaceMeta space={space} timeZone={timeZone} />
                    <FolderLink item={space} rootLabel={props.rootLabel} />
                    {space.sameNamed && (
                      <SameNameMark
                        href={`/space/${space.sameNamed.id}`}
                        namesake={space.sameNamed}
                        timeZone={timeZone}
                      />
                    )}
                  </span>
                }
                {...itemControls(space, props)}
              />
            </li>
          ))}
        </CardGrid>
      )}
    </>
  );
}

export interface SpaceRowsProps extends ListProps<SpaceListItem> {
  /** Null if the list has a fixed order. */
  readonly sortOrder: Pick<TreeListQuery, "sort" | "direction"> | null;
}

/** Folders and spaces as a table. */
export function SpaceRows(props: SpaceRowsProps) {
  const { t } = useTranslation();
  return (
    <TreeRows
      {...props}
      caption={t("spaces:listCaption")}
      describeItem={(item) =>
        item.kind === "space"
          ? { icon: "cube", href: `/space/${item.id}`, kind: t(`spaces:kind.${item.source}`) }
          : { icon: "folder", href: `${props.listHref}/folders/${item.id}`, kind: t("folders:kind.folder") }
      }
      columns={[
        {
          key: "events",
          header: t("spaces:detail.eventCount"),
          align: "end",
          phone: "header-and-value",
          cell: (item) => (item.kind === "space" ? item.eventCount : ""),
        },
      ]}
    />
  );
}
