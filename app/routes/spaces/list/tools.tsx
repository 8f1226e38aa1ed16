import { LinkButton } from "~/components/button";
import { MenuLink } from "~/components/menus/menu";
import type { ListSearch } from "~/domain/shared/list-query.schema";
import { useTranslation } from "~/i18n/translation";
import type { ListedItem } from "../../folders/item-parts";
import { ListMenuEntries, TreeToolbar, type TreeToolbarProps } from "../../folders/toolbar";
import { SearchForm } from "../../shared/search-form";

export interface SpaceToolsProps extends Pick<TreeToolbarProps, "query"> {
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** Text and error of the search field. */
  readonly search: ListSearch;
  readonly list: {
    readonly show: "folder" | "all";
    /** URL of the list's root. */
    readonly listHref: string;
    readonly seesAll: boolean;
    /** Displayed folder, which can be the root; null for a list of all spaces. */
    readonly folder: (ListedItem & { readonly isRoot: boolean }) | null;
  };
  /** URL of the screen that creates a space. */
  readonly newHref: string;
  /** False while the first steps have the primary action. */
  readonly isPrimary: boolean;
}

/** Search, view and actions of a list of spaces. */
export function SpaceTools({ query, listParams, search, list, newHref, isPrimary }: SpaceToolsProps) {
  const { t } = useTranslation();
  const { folder, listHref, seesAll, show } = list;
  return (
    <TreeToolbar
      query={query}
      listParams={listParams}
      canSort={show === "folder"}
      search={
        <SearchForm
          label={t("spaces:search")}
          submit={t("spaces:searchSubmit")}
          clear={t("spaces:clearSearch")}
          {...search}
          clearHref="?"
        />
      }
      otherActions={
        <ListMenuEntries
          listParams={listParams}
          listHref={listHref}
          isFolder={show === "folder"}
          folder={folder && !folder.isRoot ? folder : null}
          seesAll={seesAll}
          all={{ icon: "cube", label: t("spaces:all") }}
        >
          {seesAll && folder && (
            <MenuLink icon="upload" href={`/imports/new?folder=${folder.id}`}>
              {t("shared-owners:transfer.importSpace")}
            </MenuLink>
          )}
        </ListMenuEntries>
      }
      action={
        <LinkButton variant={isPrimary ? "primary" : "secondary"} icon="plus" href={newHref}>
          {t("spaces:create")}
        </LinkButton>
      }
    />
  );
}
