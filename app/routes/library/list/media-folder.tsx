import { Button, LinkButton } from "~/components/button";
import { EmptyState } from "~/components/status/states";
import type { TreeListQuery } from "~/domain/folders/tree-list.schema";
import { ConvertWaiting, type WaitingItem } from "~/features/library/conversions/convert-waiting";
import { DrawThumbnails } from "~/features/library/uploads/thumbnails/draw-thumbnails";
import { FILES_FIELD } from "~/features/library/uploads/uploader";
import { useTranslation } from "~/i18n/translation";
import { FolderView, type FolderViewProps } from "../../folders/folder-view";
import { hrefWith } from "../../shared/href-with";
import { type LibraryListProps, MediaCards, MediaRows } from "./list-view";

export interface MediaFolderProps extends LibraryListProps, Pick<FolderViewProps, "name" | "pager"> {
  readonly isRoot: boolean;
  readonly query: Pick<TreeListQuery, "view" | "sort" | "direction" | "kinds">;
  /** True for the content of one folder; false for all media and the results of a search, which have a fixed order and no upload. */
  readonly isFolder: boolean;
  /** Waiting conversions of the user's own library, including those of items that this page does not list. */
  readonly waiting: readonly WaitingItem[];
  /** Search text; empty without a search. */
  readonly q: string;
}

/** Content of a folder of media, all media, or the results of a search, with an empty state. */
export function MediaFolder({
  name,
  isRoot,
  query,
  isFolder,
  q,
  waiting,
  pager,
  ...listProps
}: MediaFolderProps) {
  const waitingOnPage = listProps.items.flatMap((item) =>
    item.kind === "media" && item.waiting ? [item.waiting] : [],
  );
  const itemsWithoutThumbnail = listProps.items.flatMap(
    (item) => (item.kind === "media" && item.thumbnailRequest) || [],
  );
  return (
    <FolderView
      name={name}
      pager={pager}
      listParams={listProps.listParams}
      size={listProps.items.length}
      empty={
        <EmptyMediaFolder
          isRoot={isRoot}
          q={q}
          hasKinds={query.kinds.length > 0}
          listParams={listProps.listParams}
          mayUpload={isFolder}
        />
      }
    >
      <ConvertWaiting items={[...waitingOnPage, ...waiting]} />
      <DrawThumbnails items={itemsWithoutThumbnail} />
      {query.view === "rows" ? (
        <MediaRows {...listProps} sortOrder={isFolder ? query : null} />
      ) : (
        <MediaCards {...listProps} />
      )}
    </FolderView>
  );
}

interface EmptyMediaFolderProps {
  readonly isRoot: boolean;
  readonly q: string;
  readonly hasKinds: boolean;
  readonly listParams: URLSearchParams;
  readonly mayUpload: boolean;
}

function EmptyMediaFolder({ isRoot, q, hasKinds, listParams, mayUpload }: EmptyMediaFolderProps) {
  const { t } = useTranslation();
  const allKinds = hasKinds && (
    <LinkButton href={hrefWith(listParams, "kind", null)}>{t("library:showAllKinds")}</LinkButton>
  );
  if (q)
    return (
      <EmptyState
        icon="search"
        title={t("library:noMatchTitle", { q })}
        action={allKinds || <LinkButton href="?">{t("library:clearSearch")}</LinkButton>}
      >
        {t(hasKinds ? "library:noMatchOfKindText" : "library:noMatchText")}
      </EmptyState>
    );
  if (hasKinds)
    return (
      <EmptyState icon="library" title={t("library:noKindTitle")} action={allKinds}>
        {t("library:noKindText")}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={isRoot ? "library" : "folder"}
      title={t(isRoot ? "library:emptyTitle" : "folders:emptyFolder")}
      action={
        mayUpload ? (
          // Without scripts, the form above uploads the files.
          <Button
            variant="primary"
            icon="upload"
            className="needs-script"
            onClick={() => document.getElementById(FILES_FIELD)?.click()}
          >
            {t("library:uploads.choose")}
          </Button>
        ) : (
          <LinkButton href="?">{t("library:openFolders")}</LinkButton>
        )
      }
    >
      {t(isRoot ? "library:emptyText" : "library:emptyFolderText")}
    </EmptyState>
  );
}
