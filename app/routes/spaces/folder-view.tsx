import { LinkButton } from "~/components/button";
import { CursorPager, type CursorPagerProps } from "~/components/cursor-pager";
import { EmptyState } from "~/components/states";
import type { TreeListQuery } from "~/domain/tree-list.schema";
import { useTranslation } from "~/i18n/use-translation";
import { ChosenForm } from "../tree/chosen-form";
import { useDragToMove } from "../tree/drag";
import { Cards, type ListViewProps, Rows } from "./list-view";

export interface FolderViewProps extends ListViewProps {
  readonly name: string;
  readonly isRoot: boolean;
  readonly query: Pick<TreeListQuery, "view" | "sort" | "direction">;
  readonly newHref: string;
  readonly pager: CursorPagerProps;
}

/** What lies in a folder, or what to do about it when nothing does. */
export function FolderView({ name, isRoot, query, newHref, pager, ...view }: FolderViewProps) {
  const { t } = useTranslation();
  useDragToMove(view.list);
  if (view.items.length === 0)
    return (
      <EmptyState
        icon={isRoot ? "cube" : "folder"}
        title={isRoot ? t("spaces.emptyTitle") : t("tree.emptyFolder")}
        action={<LinkButton href={newHref}>{t("spaces.create")}</LinkButton>}
      >
        {isRoot ? t("spaces.emptyText") : t("tree.emptyFolderText")}
      </EmptyState>
    );
  return (
    <ChosenForm label={name} list={view.list} size={view.items.length}>
      {query.view === "rows" ? <Rows {...view} query={query} /> : <Cards {...view} />}
      <CursorPager {...pager} />
    </ChosenForm>
  );
}
