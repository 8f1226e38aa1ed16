import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { treeListParams } from "~/domain/folders/tree-list.schema";
import { lacksThumbnail } from "~/domain/library/media-kinds";
import { hiddenReason } from "~/domain/library/prepared";
import { storageLeft } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import { can } from "~/domain/shared/permissions";
import { PreparationPanel } from "~/features/library/conversions/preparation-panel";
import { Uploader } from "~/features/library/uploads/uploader";
import { WebChangeForm } from "~/forms/library/web-media-form";
import { formatName } from "~/i18n/format";
import { languages } from "~/i18n/languages.server";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { itemTreeAction, readBreadcrumbs, readItemDialog } from "../../folders/dialogs/item-page.server";
import { TreeDialogs } from "../../folders/dialogs/tree-dialogs";
import { ItemActions } from "../../folders/item-parts";
import { TreeResults } from "../../folders/results";
import type { RouteHandle } from "../../shared/handle";
import { namedTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { HiddenNotice, PreparationProblem } from "../list/hidden-notice";
import { hasFiles, storeUploadForm } from "../list/upload.server";
import { UploadResults } from "../list/upload-results";
import { webChangeAction } from "../web-media/change.server";
import { providerName, webMediaItemPage } from "../web-media/web-frame";
import { CheckNotice } from "./check-notice";
import { ItemMetadata } from "./item-metadata";
import { toItemPageData } from "./item-page-data";
import { preparationAction, preparationData } from "./preparation.server";
import { ItemPreview } from "./preview";
import { Uses } from "./uses";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const itemId = uuidParam(params.itemUuid);
  const { searchParams } = new URL(request.url);
  const [{ item, owner, uses, excerpt }, sharing] = await Promise.all([
    context.services.library.getItemDetails({ actor, itemId }),
    context.services.groups.getSharing({ actor, kind: "media", id: itemId }),
  ]);
  const itemContext = { context, actor, folderType: "media", item } as const;
  const resource = { type: "media", ownerId: item.ownerId, groupId: item.groupId } as const;
  const [crumbs, dialog] = await Promise.all([
    readBreadcrumbs(itemContext),
    readItemDialog(itemContext, searchParams.get("dialog")),
  ]);
  return {
    title: namedTitle(context, item.title),
    timeZone: user.timeZone,
    crumbs,
    dialog,
    // An item whose check forbids its use shows no excerpt.
    excerpt: item.check ? null : excerpt,
    uses: {
      ...uses,
      events: uses.events.map(({ tags, ...event }) => ({
        ...event,
        tags: tags.map(({ id, title }) => ({ id, title: inLanguage(title, context.lang).text })),
      })),
    },
    sharing: {
      group: sharing.groups.find(({ id }) => id === sharing.groupId)?.name ?? null,
      isShared: sharing.groupId !== null,
    },
    ownerName: owner.id === actor.userId ? null : formatName(owner),
    item: toItemPageData(actor, item),
    preparation: preparationData(actor, item),
    web: webMediaItemPage(item, languages[context.lang].t),
    /** Whether the page creates a thumbnail, once the browser has rendered the file. */
    createsThumbnail: !hiddenReason(item) && lacksThumbnail(item) && can(actor, "update", resource),
    /** Null for an item that is no web media item, or that the user may not change. */
    webChange:
      item.web && can(actor, "update", resource)
        ? { url: item.web.url, version: item.version, provider: providerName(item.web) }
        : null,
    /** Null if there is no file, or if the user may not replace it. */
    replace:
      item.fileKey !== null && can(actor, "update", resource)
        ? {
            replacesId: item.id,
            folderId: item.folderId,
            ownerId: owner.id === actor.userId ? null : owner.id,
            // Users who may not list the owner's items do not learn how much storage is left; for them only the server checks it.
            freeBytes: can(actor, "list", resource)
              ? storageLeft(owner) + item.byteSize
              : Number.MAX_SAFE_INTEGER,
            kinds: [item.kind],
          }
        : null,
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  if (hasFiles(request)) {
    const itemId = uuidParam(params.itemUuid);
    const rejection = await storeUploadForm({ context, actor, replacesId: itemId });
    if (rejection) return rejection;
    throw redirect(`/library/items/${itemId}?toast=file-replaced`);
  }
  const form = await context.form.read();
  // For an item that does not exist, this throws before a form with errors is returned.
  const item = await context.services.library.getItem({ actor, itemId: uuidParam(params.itemUuid) });
  const itemContext = { context, actor, folderType: "media", item } as const;
  const response =
    (await itemTreeAction(itemContext, request, form)) ??
    (await webChangeAction({ context, actor, item, form })) ??
    (await preparationAction(context, actor, item.id, form));
  return response ?? data(null, { status: 400 });
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["folders", "library", "shared-owners", "spaces", "visitors"],
  topBar: (_data, t: Translate) => ({ title: t("library:item.title") }),
};

export default function LibraryItemPage() {
  const { t } = useTranslation();
  const { item, web, uses, excerpt, sharing, timeZone, ownerName, createsThumbnail, ...page } =
    useLoaderData<typeof loader>();
  const actionData = useActionResult<typeof action>();
  // The result of a form that renames, moves, copies or deletes the item.
  const outcome =
    actionData &&
    actionData.action !== "upload" &&
    actionData.action !== "change-web" &&
    actionData.action !== "prepare"
      ? actionData
      : null;
  const [searchParams] = useSearchParams();
  const listParams = treeListParams(searchParams);
  const crumbs = page.crumbs.map(({ label, href }) => ({ label: label || t("library:title"), href }));
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-6 py-8">
      <PageHeader title={item.name} breadcrumbs={crumbs} />
      {outcome && <TreeResults outcome={outcome} />}
      {actionData?.action === "upload" && <UploadResults outcome={actionData} />}
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 content-start gap-8">
          {actionData?.action === "prepare" && <PreparationProblem {...actionData} />}
          {item.check ? (
            <CheckNotice {...item.check} />
          ) : (
            item.hidden && <HiddenNotice reason={item.hidden} name={item.fileName} />
          )}
          <ItemPreview item={item} excerpt={excerpt} web={web} createsThumbnail={createsThumbnail} />
          {page.preparation && <PreparationPanel key={item.id} {...page.preparation} />}
          <Uses uses={uses} />
        </div>
        <ItemMetadata
          item={item}
          folder={crumbs.at(-1) ?? null}
          sharing={sharing}
          ownerName={ownerName}
          timeZone={timeZone}
        >
          <ItemActions item={item} listParams={listParams} />
          {page.webChange && (
            <section aria-labelledby="replace-title" className="grid gap-2">
              <h2 id="replace-title" className="text-base font-semibold">
                {t("library:webMedia.replace")}
              </h2>
              <p className="text-sm text-muted text-phrase">{t("library:webMedia.replaceText")}</p>
              <WebChangeForm
                key={page.webChange.version}
                {...page.webChange}
                lastResult={actionData?.action === "change-web" ? actionData.lastResult : null}
              />
            </section>
          )}
          {page.replace && (
            <section aria-labelledby="replace-title" className="grid gap-2">
              <h2 id="replace-title" className="text-base font-semibold">
                {t("library:item.replace")}
              </h2>
              <p className="text-sm text-muted text-phrase">{t("library:item.replaceText")}</p>
              <Uploader
                {...page.replace}
                group={`replace ${item.id}`}
                label={t("library:item.replaceChoose")}
              />
            </section>
          )}
        </ItemMetadata>
      </div>
      <TreeDialogs
        dialog={page.dialog}
        outcome={outcome}
        closeHref={`?${listParams}`}
        rootLabel={t("library:title")}
      />
    </Container>
  );
}
