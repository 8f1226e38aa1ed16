import { Anchor } from "~/components/anchor";
import { useFormatDate } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import type { FolderType } from "~/domain/shared/model";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";

/** Another folder or space with the same name in the same folder. */
export interface Namesake {
  readonly id: string;
  readonly createdAt: string;
}

interface SameNames {
  readonly kind: "folder" | "space";
  readonly id: string;
  readonly name: string;
  readonly otherItems: readonly Namesake[];
}

/** Maximum number of links to the other items of one name. */
const NAMED_MAX = 3;

const namesakeHref = (kind: "folder" | "space", id: string, folderType: FolderType) =>
  kind === "space" ? `/space/${id}` : `${folderType === "space" ? "/space-list" : "/library"}/folders/${id}`;

interface SameNameNoticeProps {
  readonly items: readonly SameNames[];
  readonly folderType: FolderType;
  readonly timeZone: string;
}

/** After a change: other folders and spaces that have the name of a changed one and are in the same folder. */
export function SameNameNotice({ items, folderType, timeZone }: SameNameNoticeProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  if (items.length === 0) return null;
  return (
    <Notice tone="warning" live>
      <ul className="grid gap-1">
        {items.map(({ kind, id, name, otherItems }) => (
          <li key={id}>
            {t(`folders:sameName.${kind}`, { name })}
            {t("shared:space")}
            <span className="inline-flex flex-wrap gap-x-3">
              {otherItems.slice(0, NAMED_MAX).map((namesake) => (
                <Anchor
                  key={namesake.id}
                  href={namesakeHref(kind, namesake.id, folderType)}
                  className="inline-flex min-h-10 items-center underline"
                >
                  {t("folders:sameName.created", {
                    date: formatDate(toLocalInput(namesake.createdAt, timeZone)),
                  })}
                </Anchor>
              ))}
              {otherItems.length > NAMED_MAX && (
                <span className="inline-flex min-h-10 items-center">
                  {t("folders:more", { count: otherItems.length - NAMED_MAX })}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface SameNameMarkProps {
  /** URL of the other item. */
  readonly href: string;
  readonly namesake: Namesake;
  readonly timeZone: string;
}

/** Mark of an item of a list, with a link to the other item of its name. The link lies above the item's own link. */
export function SameNameMark({ href, namesake, timeZone }: SameNameMarkProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const date = formatDate(toLocalInput(namesake.createdAt, timeZone));
  return (
    <Anchor
      href={href}
      className="relative z-10 inline-flex min-h-10 w-fit items-center gap-1 text-xs font-normal text-warning hover:underline"
    >
      <Icon name="warning" size={16} />
      {t("folders:sameName.mark", { date })}
    </Anchor>
  );
}
