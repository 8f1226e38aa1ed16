import { LinkButton } from "~/components/button";
import { EmptyState } from "~/components/states";
import type { TreeListQuery } from "~/domain/tree-list.schema";
import { useTranslation } from "~/i18n/use-translation";
import { FolderView, type FolderViewProps } from "../tree/folder-view";
import { SpaceCards, SpaceRows, type SpaceRowsProps } from "./list-view";

export interface SpaceFolderProps
  extends Omit<SpaceRowsProps, "query">,
    Pick<FolderViewProps, "name" | "pager"> {
  readonly isRoot: boolean;
  readonly query: Pick<TreeListQuery, "view" | "sort" | "direction">;
  readonly newHref: string;
}

/** What lies in a folder of spaces, or what to do about it when nothing does. */
export function SpaceFolder({ name, isRoot, query, newHref, pager, ...view }: SpaceFolderProps) {
  const { t } = useTranslation();
  return (
    <FolderView
      {...{ name, pager }}
      list={view.list}
      size={view.items.length}
      empty={
        <EmptyState
          icon={isRoot ? "cube" : "folder"}
          title={isRoot ? t("spaces.emptyTitle") : t("tree.emptyFolder")}
          action={<LinkButton href={newHref}>{t("spaces.create")}</LinkButton>}
        >
          {isRoot ? t("spaces.emptyText") : t("tree.emptyFolderText")}
        </EmptyState>
      }
    >
      {query.view === "rows" ? <SpaceRows {...view} query={query} /> : <SpaceCards {...view} />}
    </FolderView>
  );
}
