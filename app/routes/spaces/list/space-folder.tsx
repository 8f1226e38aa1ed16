import { LinkButton } from "~/components/button";
import { EmptyState } from "~/components/status/states";
import type { TreeListQuery } from "~/domain/folders/tree-list.schema";
import { useTranslation } from "~/i18n/translation";
import { FolderView, type FolderViewProps } from "../../folders/folder-view";
import { SpaceCards, SpaceRows, type SpaceRowsProps } from "./list-view";

export interface SpaceFolderProps
  extends Omit<SpaceRowsProps, "sortOrder">,
    Pick<FolderViewProps, "name" | "pager"> {
  readonly isRoot: boolean;
  readonly query: Pick<TreeListQuery, "view" | "sort" | "direction">;
  readonly newHref: string;
  /** False if the list has a fixed order. */
  readonly canSort: boolean;
  /** Search text; empty without a search. */
  readonly q: string;
}

/** Content of a folder of spaces, all spaces, or the results of a search, with an empty state. */
export function SpaceFolder({
  name,
  isRoot,
  query,
  canSort,
  q,
  newHref,
  pager,
  ...listProps
}: SpaceFolderProps) {
  const { t } = useTranslation();
  return (
    <FolderView
      name={name}
      pager={pager}
      listParams={listProps.listParams}
      size={listProps.items.length}
      canCopy
      empty={
        q ? (
          <EmptyState
            icon="search"
            title={t("spaces:noMatchTitle", { q })}
            action={<LinkButton href="?">{t("spaces:clearSearch")}</LinkButton>}
          >
            {t("spaces:noMatchText")}
          </EmptyState>
        ) : (
          <EmptyState
            icon={isRoot ? "cube" : "folder"}
            title={isRoot ? t("spaces:emptyTitle") : t("folders:emptyFolder")}
            action={
              <LinkButton href={newHref} variant="primary">
                {t("spaces:create")}
              </LinkButton>
            }
          >
            {isRoot ? t("spaces:emptyText") : t("folders:emptyFolderText")}
          </EmptyState>
        )
      }
    >
      {query.view === "rows" ? (
        <SpaceRows {...listProps} sortOrder={canSort ? query : null} />
      ) : (
        <SpaceCards {...listProps} />
      )}
    </FolderView>
  );
}
