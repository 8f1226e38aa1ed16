import { MenuGroup, MenuLink } from "~/components/menus/menu";
import { MEDIA_KINDS } from "~/domain/library/media-kinds";
import type { MediaKind } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { MEDIA_ICONS } from "../../visitors/media/media-icons";

export interface KindFilterProps {
  /** Displayed kinds; empty for all. */
  readonly kinds: readonly MediaKind[];
  /** Query of the list. */
  readonly listParams: URLSearchParams;
}

/** Entries of a menu that filter by the kinds of media: links that add or remove a kind, so that each filter has a URL. */
export function KindFilter({ kinds, listParams }: KindFilterProps) {
  const { t } = useTranslation();
  const href = (selectedKinds: readonly MediaKind[]) => {
    const params = new URLSearchParams(listParams);
    for (const name of ["kind", "cursor"]) params.delete(name);
    for (const kind of MEDIA_KINDS) if (selectedKinds.includes(kind)) params.append("kind", kind);
    return `?${params}`;
  };
  return (
    <MenuGroup label={t("library:kinds")}>
      <MenuLink href={href([])} icon="library" current={kinds.length === 0} keepScroll>
        {t("library:allKinds")}
      </MenuLink>
      {MEDIA_KINDS.map((kind) => {
        const isSelected = kinds.includes(kind);
        return (
          <MenuLink
            key={kind}
            href={href(isSelected ? kinds.filter((candidate) => candidate !== kind) : [...kinds, kind])}
            icon={MEDIA_ICONS[kind]}
            current={isSelected}
            keepScroll
          >
            {t(`library:kindName.${kind}`)}
          </MenuLink>
        );
      })}
    </MenuGroup>
  );
}
