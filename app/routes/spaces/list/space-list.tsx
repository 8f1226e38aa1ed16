import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useParams, useSearchParams } from "@remix-run/react";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { parseTreeListQuery, treeListParams } from "~/domain/folders/tree-list.schema";
import { TRASH_DAYS } from "~/domain/shared/limits";
import { readListSearch } from "~/domain/shared/list-query.schema";
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
import { namedTitle, pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { DeletedEvents, EventProblem } from "../space/deleted-events";
import { restoreFromTrash } from "../space/event-actions.server";
import { FirstSteps } from "./first-steps";
import { firstStepsAction, loadFirstSteps } from "./first-steps.server";
import { readAllSpaces, readDeletedSpaces, readSpaceFolder } from "./read.server";
import { SpaceFolder } from "./space-folder";
import { SpaceTools } from "./tools";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const { searchParams } = new URL(request.url);
  const query = parseTreeListQuery(searchParams);
  const input = { request, context, actor, folderType: "space", query, ...readFolderParams(params) } as const;
  const read =
    query.show === "all" ? readAllSpaces : query.show === "trash" ? readDeletedSpaces : readSpaceFolder;
  const isOwnRoot = query.show === "folder" && !params.userUuid && !params.folderUuid;
  const [list, sameNames, steps, dialog] = await Promise.all([
    read(input),
    readSameNames(context, actor, "space", searchParams),
    isOwnRoot ? loadFirstSteps({ context, actor }, user) : null,
    readDialog({ context, actor, folderType: "space", searchParams }),
  ]);
  const title =
    list.folder && !list.folder.isRoot
      ? namedTitle(context, list.folder.name)
      : list.ownerName
        ? pageTitle(context, "spaces:titleOf", { name: list.ownerName })
        : pageTitle(context, "spaces:title");
  return {
    title,
    list,
    sameNames,
    steps,
    dialog,
    query: { view: query.view, sort: query.sort, direction: query.direction },
    timeZone: user.timeZone,
    search: readListSearch(searchParams),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const form = await context.form.read();
  const { ownerId, folderId } = readFolderParams(params);
  const ownResponse =
    (await restoreFromTrash({ request, context, actor }, form)) ??
    (await firstStepsAction({ context, actor }, form));
  if (ownResponse) return ownResponse;
  const response = await treeAction({
    request,
    form,
    context,
    actor,
    folderType: "space",
    ownerId,
    folderId,
  });
  // Unknown intent.
  return response ?? data(null, { status: 400 });
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];

export const handle: RouteHandle = {
  i18n: ["folders", "shared-owners", "spaces"],
};

export default function SpaceList() {
  const { t } = useTranslation();
  const { list, sameNames, steps, dialog, query, timeZone, search } = useLoaderData<typeof loader>();
  const actionData = useActionResult<typeof action>();
  const [urlParams] = useSearchParams();
  const params = useParams();
  const listParams = treeListParams(urlParams);
  const outcome =
    actionData && actionData.action !== "event" && actionData.action !== "steps" ? actionData : null;
  const newSpaceParams = new URLSearchParams({
    ...(params.userUuid && { owner: params.userUuid }),
    ...(list.folder && !list.folder.isRoot && { folder: list.folder.id }),
  });
  const newHref = `/space-list/new${newSpaceParams.size > 0 ? `?${newSpaceParams}` : ""}`;
  const closeHref = `?${listParams}`;
  const rootLabel = list.ownerName ? t("spaces:titleOf", { name: list.ownerName }) : t("spaces:title");
  const folder = list.folder && !list.folder.isRoot ? list.folder : null;
  const isAllSpaces = list.show === "all" && list.q === "" && !folder;
  const title = folder?.name ?? (isAllSpaces ? t("spaces:all") : rootLabel);
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
            : isAllSpaces && !list.ownerName
              ? t("spaces:allText")
              : list.usage && <span className="tabular-nums">{t("spaces:license", list.usage)}</span>
        }
      />
      {steps && (
        <FirstSteps
          {...steps}
          newHref={newHref}
          problem={actionData?.action === "steps" ? actionData.problem : null}
        />
      )}
      {list.show !== "trash" && (
        <SpaceTools
          query={query}
          listParams={listParams}
          search={search}
          list={list}
          newHref={newHref}
          isPrimary={!steps}
        />
      )}
      <EventProblem outcome={actionData?.action === "event" ? actionData : null} />
      {outcome ? (
        <TreeResults outcome={outcome} />
      ) : (
        <SameNameNotice items={sameNames} folderType="space" timeZone={timeZone} />
      )}
      {list.show !== "trash" && !(steps && list.items.length === 0) && (
        <SpaceFolder
          key={list.folder?.id ?? "all"}
          query={query}
          newHref={newHref}
          timeZone={timeZone}
          rootLabel={rootLabel}
          items={list.items}
          listHref={list.listHref}
          listParams={listParams}
          name={title}
          isRoot={!folder}
          canSort={list.show === "folder"}
          q={list.show === "all" ? list.q : ""}
          chosenRefs={rejectedRefs(outcome)}
          pager={cursorPagerProps(list.page, listParams)}
        />
      )}
      {list.show === "trash" && (
        <>
          {(list.items.length > 0 || list.deletedEvents.length === 0) && (
            <TrashList
              rows={list.items}
              timeZone={timeZone}
              pager={cursorPagerProps(list.page, listParams)}
            />
          )}
          <DeletedEvents name={null} rows={list.deletedEvents} timeZone={timeZone} />
        </>
      )}
      <TreeDialogs dialog={dialog} outcome={outcome} closeHref={closeHref} rootLabel={rootLabel} />
    </Container>
  );
}
