import { LinkButton } from "~/components/button";
import type { ListSearch } from "~/domain/shared/page.schema";
import { useTranslation } from "~/i18n/translation";
import { TreeToolbar, type TreeToolbarProps } from "../../folders/toolbar";
import { SearchForm } from "../../shared/search-form";

export interface SpaceToolsProps extends Pick<TreeToolbarProps, "query"> {
  /** Query of the list. */
  readonly address: URLSearchParams;
  /** Text of the search field. */
  readonly typed: ListSearch;
  readonly list: {
    readonly show: "folder" | "all";
    /** Address of the list's root. */
    readonly listHref: string;
    readonly ownsAll: boolean;
  };
  /** Displayed folder; null for a list of all spaces. */
  readonly folderId: string | null;
}

/** Search of spaces, and the view options of the list. */
export function SpaceTools({ query, address, typed, list, folderId }: SpaceToolsProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-80">
        <SearchForm
          label={t("spaces:search")}
          submit={t("spaces:searchSubmit")}
          clear={t("spaces:clearSearch")}
          {...typed}
          clearHref="?"
        />
      </div>
      <TreeToolbar query={query} list={address} sorts={list.show === "folder"}>
        {list.show === "folder" && (
          <LinkButton variant="quiet" icon="cube" href={`${list.listHref}?show=all`}>
            {t("spaces:all")}
          </LinkButton>
        )}
        {list.show === "folder" && list.ownsAll && folderId && (
          <LinkButton variant="quiet" icon="upload" href={`/imports/new?folder=${folderId}`}>
            {t("transfer:importSpace")}
          </LinkButton>
        )}
        {list.show === "folder" && list.ownsAll && (
          <LinkButton variant="quiet" icon="trash" href={`${list.listHref}?show=trash`}>
            {t("folders:trash")}
          </LinkButton>
        )}
      </TreeToolbar>
    </div>
  );
}
