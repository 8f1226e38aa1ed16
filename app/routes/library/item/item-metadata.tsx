import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { DateTime } from "~/components/date-time";
import { Fact } from "~/components/fact";
import { formatDuration } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import type { ItemPageData } from "./item-page-data";

export interface ItemMetadataProps {
  readonly item: ItemPageData;
  /** Folder of the item. */
  readonly folder: { readonly label: string; readonly href: string } | null;
  /** Sharing state: the group's name if the user may see it, and whether the item is shared. */
  readonly sharing: { readonly group: string | null; readonly isShared: boolean };
  /** Null for the user's own item. */
  readonly ownerName: string | null;
  readonly timeZone: string;
  /** Actions on the item. */
  readonly children?: ReactNode;
}

/** Metadata of a media item, beside its preview. */
export function ItemMetadata({ item, folder, sharing, ownerName, timeZone, children }: ItemMetadataProps) {
  const { t } = useTranslation();
  const { size, width, height, duration } = item;
  return (
    <aside aria-label={t("library:item.metadata")} className="grid content-start gap-6">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <Fact label={t("library:item.kind")}>{t(`library:kindName.${item.mediaKind}`)}</Fact>
        {size && <Fact label={t("library:item.size")}>{size}</Fact>}
        {item.prepared && <Fact label={t("library:conversion.fact.prepared")}>{item.prepared}</Fact>}
        {width !== null && height !== null && (
          <Fact label={t("library:item.dimensions")}>{t("library:item.pixels", { width, height })}</Fact>
        )}
        {duration !== null && <Fact label={t("library:item.duration")}>{formatDuration(duration)}</Fact>}
        {size && <Fact label={t("library:item.type")}>{item.mimeType}</Fact>}
        {size && <Fact label={t("library:item.fileName")}>{item.fileName}</Fact>}
        {folder && (
          <Fact label={t("library:item.folder")}>
            <Anchor href={folder.href} className="underline">
              {folder.label}
            </Anchor>
          </Fact>
        )}
        {ownerName && <Fact label={t("library:item.owner")}>{ownerName}</Fact>}
        <Fact label={t("library:item.created")}>
          <DateTime instant={item.createdAt} timeZone={timeZone} />
        </Fact>
        <Fact label={t("library:item.updated")}>
          <DateTime instant={item.updatedAt} timeZone={timeZone} />
        </Fact>
        <Fact label={t("library:item.shared")}>
          {sharing.group ?? t(sharing.isShared ? "library:item.group" : "library:item.sharedWithNoOne")}
        </Fact>
      </dl>
      {children}
    </aside>
  );
}
