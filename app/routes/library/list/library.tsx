import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { Meter } from "~/components/status/meter";
import { parseTreeListQuery, treeListParams } from "~/domain/folders/tree-list.schema";
import { TRASH_DAYS } from "~/domain/shared/limits";
import { readListSearch } from "~/domain/shared/list-query.schema";
import { formatBytes } from "~/i18n/format";
import { createLatePart } from "~/i18n/late-part";
import { useTranslation } from "~/i18n/translation";
import { treeAction } from "../../folders/action.server";
import { toPageCrumbs } from "../../folders/crumbs";
import { readDialog } from "../../folders/dialogs/dialog.server";
import { TreeDialogs } from "../../folders/dialogs/tree-dialogs";
import { readFolderParams } from "../../folders/read.server";
import { rejectedRefs, TreeResults } from "../../folders/results";
import { SameNameNotice } from "../../folders/same-names";
import { readSameNames } from "../../folders/same-names.server";
import { TrashList } from "../../folders/trash";
import { cursorPagerProps } from "../../shared/cursor-pager-props";
import type { RouteHandle } from "../../shared/handle";
import { useActionResult } from "../../shared/unsent-form";
import { webMediaAction } from "../web-media/action.server";
import { readWebDialog } from "../web-media/dialog.server";
import { MediaFolder } from "./media-folder";
import { listTitle, readAllMedia, readDeletedMedia, readMediaFolder, readWaiting } from "./read.server";
import { LibraryTools } from "./tools";
import { hasFiles, storeUploadForm } from "./upload.server";
import { UploadResults } from "./upload-results";

const folderType = "media";

const WebDialog = createLatePart(async () => ({ default: (await import("../web-media/dialog")).WebDialog }));

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const { searchParams } = new URL(request.url);
  const query = parseTreeListQuery(searchParams);
  const input = { request, context, actor, folderType, query, ...readFolderParams(params) } as const;
  const read =
    query.show === "all" ? readAllMedia : query.show === "trash" ? readDeletedMedia : readMediaFolder;
  const [list, sameNames, waitingItems, dialog, web] = await Promise.all([
    read(input),
    readSameNames(context, actor, folderType, searchParams),
    readWaiting(context, actor),
    readDialog({ context, actor, folderType, searchParams }),
    readWebDialog(context, actor, searchParams),
  ]);
  const { view, sort, direction, kinds } = query;
  const page = {
    title: listTitle(context, list),
    list,
    sameNames,
    waiting: waitingItems,
    dialog,
    web,
    query: { view, sort, direction, kinds },
    timeZone: user.timeZone,
    search: readListSearch(searchParams),
  };
  return data(page, { status: web?.status ?? 200 });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  if (hasFiles(request)) {
    const rejection = await storeUploadForm({ context, actor, ...readFolderParams(params) });
    if (rejection) return rejection;
    throw redirect(`${new URL(request.url).pathname}?toast=files-uploaded`);
  }
  const form = await context.form.read();
  const post = { request, form, context, actor, folderType, ...readFolderParams(params) } as const;
  const response = (await treeAction(post)) ?? (await webMediaAction(post));
  // Unknown intent.
  return response ?? data(null, { status: 400 });
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["folders", "library", "shared-owners", "spaces"],
  topBar: (_data, t) => ({ title: t("library:title") }),
};

export default function Library() {
  const { t } = useTranslation();
  const { list, sameNames, waiting, dialog, web, query, timeZone, search } = useLoaderData<typeof loader>();
  const actionResult = useActionResult<typeof action>();
  const outcome =
    actionResult && actionResult.action !== "upload" && actionResult.action !== "add-web"
      ? actionResult
      : null;
  const [urlParams] = useSearchParams();
  const listParams = treeListParams(urlParams);
  const rootLabel = list.ownerName ? t("library:titleOf", { name: list.ownerName }) : t("library:title");
  const folder = list.folder && !list.folder.isRoot ? list.folder : null;
  const isAllMedia = list.show === "all" && list.q === "" && !folder;
  const title = folder?.name ?? (isAllMedia ? t("library:all") : rootLabel);
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-6 py-8">
      <PageHeader
        title={list.show === "trash" ? t("folders:trash") : title}
        breadcrumbs={toPageCrumbs(
          { ...list, isBelowRoot: list.show !== "folder" || folder !== null },
          rootLabel,
        )}
        description={
          list.show === "trash"
            ? t("folders:trashText", { days: TRASH_DAYS })
            : list.usage && <Storage {...list.usage} />
        }
      />
      {list.show !== "trash" && (
        <LibraryTools
          query={query}
          listParams={listParams}
          search={search}
          list={list}
          folder={folder}
          upload={list.show === "folder" ? list.upload : null}
        />
      )}
      {actionResult?.action === "upload" && <UploadResults outcome={actionResult} />}
      {outcome ? (
        <TreeResults outcome={outcome} />
      ) : (
        <SameNameNotice items={sameNames} folderType={folderType} timeZone={timeZone} />
      )}
      {list.show === "trash" ? (
        <TrashList rows={list.items} timeZone={timeZone} pager={cursorPagerProps(list.page, listParams)} />
      ) : (
        <MediaFolder
          key={`${list.show} ${list.folder?.id}`}
          query={query}
          waiting={waiting}
          timeZone={timeZone}
          rootLabel={rootLabel}
          items={list.items}
          listHref={list.listHref}
          listParams={listParams}
          q={list.q}
          name={title}
          isRoot={folder === null}
          isFolder={list.show === "folder"}
          chosenRefs={rejectedRefs(outcome)}
          pager={cursorPagerProps(list.page, listParams)}
        />
      )}
      {web && (
        <WebDialog
          dialog={web}
          outcome={actionResult?.action === "add-web" ? actionResult : null}
          closeHref={`?${listParams}`}
        />
      )}
      <TreeDialogs dialog={dialog} outcome={outcome} closeHref={`?${listParams}`} rootLabel={rootLabel} />
    </Container>
  );
}

/** Used storage of a library, in bytes. */
function Storage({ used, limit }: { readonly used: number; readonly limit: number }) {
  const { t } = useTranslation();
  return (
    <div className="mt-2 text-ink sm:max-w-80">
      <Meter
        label={t("shared-owners:people.storage")}
        value={used}
        max={limit}
        text={{ used: formatBytes(used), max: formatBytes(limit) }}
      />
    </div>
  );
}
