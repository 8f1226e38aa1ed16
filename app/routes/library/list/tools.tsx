import { MenuButton, MenuLink } from "~/components/menus/menu";
import type { ListSearch } from "~/domain/shared/list-query.schema";
import type { MediaKind } from "~/domain/shared/model";
import { FOLDER_FIELD, Uploader, type UploaderProps } from "~/features/library/uploads/uploader";
import { useTranslation } from "~/i18n/translation";
import type { ListedItem } from "../../folders/item-parts";
import { ListMenuEntries, TreeToolbar, type TreeToolbarProps } from "../../folders/toolbar";
import { hrefWith } from "../../shared/href-with";
import { SearchForm } from "../../shared/search-form";
import { KindFilter } from "./kind-filter";

export interface LibraryToolsProps {
  readonly query: TreeToolbarProps["query"] & { readonly kinds: readonly MediaKind[] };
  /** Query of the list. */
  readonly listParams: URLSearchParams;
  /** Text and error of the search field. */
  readonly search: ListSearch;
  readonly list: {
    /** URL of the list's root. */
    readonly listHref: string;
    readonly seesAll: boolean;
  };
  /** Displayed folder below the root. */
  readonly folder: ListedItem | null;
  /** Target of uploads; null unless the page lists a folder. */
  readonly upload: Pick<UploaderProps, "folderId" | "ownerId" | "freeBytes"> | null;
}

/** Search, filter, view, actions and uploads of a list of media. */
export function LibraryTools({ query, listParams, search, list, folder, upload }: LibraryToolsProps) {
  const { t } = useTranslation();
  const { kinds } = query;
  const isFolder = upload !== null;
  return (
    <TreeToolbar
      query={query}
      listParams={listParams}
      canSort={isFolder}
      search={
        <SearchForm
          label={t("library:search")}
          submit={t("library:searchSubmit")}
          clear={t("library:clearSearch")}
          {...search}
          otherParams={searchFormParams(listParams)}
          clearHref={`?${searchFormParams(listParams)}`}
        />
      }
      filter={{
        entries: <KindFilter kinds={kinds} listParams={listParams} />,
        label:
          kinds.map((kind) => t(`library:kindName.${kind}`)).join(t("shared-owners:listSeparator")) || null,
      }}
      otherActions={
        <ListMenuEntries
          listHref={list.listHref}
          seesAll={list.seesAll}
          listParams={listParams}
          isFolder={isFolder}
          folder={folder}
          all={{ icon: "library", label: t("library:all") }}
        >
          <MenuButton icon="upload" onClick={() => document.getElementById(FOLDER_FIELD)?.click()}>
            {t("library:uploads.chooseFolder")}
          </MenuButton>
          <MenuLink icon="link" href={hrefWith(listParams, "dialog", "web")} keepScroll>
            {t("library:webMedia.add")}
          </MenuLink>
        </ListMenuEntries>
      }
      action={upload && <Uploader {...upload} inRow />}
    />
  );
}

/** Parameters of the list that a search keeps. */
function searchFormParams(listParams: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams(listParams);
  for (const name of ["q", "show", "cursor", "sort", "page"]) params.delete(name);
  return params;
}
