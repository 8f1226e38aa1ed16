import { LinkButton } from "~/components/button";
import { MenuDivider, MenuLink } from "~/components/menus/menu";
import type { ListSearch } from "~/domain/shared/page.schema";
import { useTranslation } from "~/i18n/translation";
import { ItemMenuEntries, type ListedItem } from "../../folders/item-parts";
import { TreeToolbar, type TreeToolbarProps } from "../../folders/toolbar";
import { hrefWith } from "../../shared/paging";
import { SearchForm } from "../../shared/search-form";

export interface SpaceToolsProps extends Pick<TreeToolbarProps, "query"> {
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** Text of the search field. */
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
        <>
          {show === "folder" && (
            <>
              <MenuLink icon="folder" href={hrefWith(listParams, "dialog", "new-folder")} keepScroll>
                {t("folders:newFolder")}
              </MenuLink>
              {seesAll && folder && (
                <MenuLink icon="upload" href={`/imports/new?folder=${folder.id}`}>
                  {t("shared-owners:transfer.importSpace")}
                </MenuLink>
              )}
              {folder && !folder.isRoot && (
                <>
                  <MenuDivider />
                  <ItemMenuEntries item={folder} listParams={listParams} />
                </>
              )}
              <MenuDivider />
            </>
          )}
          <MenuLink icon="cube" href={`${listHref}?show=all`} current={show === "all"}>
            {t("spaces:all")}
          </MenuLink>
          {seesAll && (
            <MenuLink icon="trash" href={`${listHref}?show=trash`}>
              {t("folders:trash")}
            </MenuLink>
          )}
        </>
      }
      action={
        <LinkButton variant={isPrimary ? "primary" : "secondary"} icon="plus" href={newHref}>
          {t("spaces:create")}
        </LinkButton>
      }
    />
  );
}
