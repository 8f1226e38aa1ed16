import { useTranslation } from "~/i18n/translation";
import type { FolderItem } from "./item";
import { countText, FolderLink, type LocatedItem, SharedMark } from "./item-parts";
import { SameNameMark } from "./same-names";

export interface FolderMetaProps {
  readonly folder: FolderItem & LocatedItem;
  /** URL of the list's root. */
  readonly listHref: string;
  /** Name of the list's root. */
  readonly rootLabel: string;
  readonly timeZone: string;
}

/** Details of a folder on its tile: the number of its items, whether it is shared, where it is, and a folder with the same name. */
export function FolderMeta({ folder, listHref, rootLabel, timeZone }: FolderMetaProps) {
  const { t } = useTranslation();
  const { itemCount, isShared, sameNamed } = folder;
  return (
    <span className="flex flex-wrap items-center gap-x-3 tabular-nums">
      {itemCount && countText(t, itemCount)}
      {isShared && <SharedMark />}
      <FolderLink item={folder} rootLabel={rootLabel} />
      {sameNamed && (
        <SameNameMark href={`${listHref}/folders/${sameNamed.id}`} namesake={sameNamed} timeZone={timeZone} />
      )}
    </span>
  );
}
