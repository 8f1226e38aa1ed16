import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { EVENT_STATUS } from "~/domain/events/status";
import { useLeaveGuard } from "~/forms/shared/use-leave-guard";
import { useTranslation } from "~/i18n/translation";
import { type Connection, readViewerLink, useAccessibleList, type ViewerHandle } from "~/viewer/Viewer";
import { EventHeader } from "../../events/record/event-header";
import { useEventSettings } from "../../events/record/event-settings";
import type { RouteHandle } from "../../shared/handle";
import { hrefWith } from "../../shared/href-with";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { ProductVersion } from "../../shared/version";
import { useEventStore } from "../../store/settings/use-event-store";
import { SaveBar, UndoButtons } from "../drafts/save-bar";
import { createUnsavedForms, useUnsavedForms } from "../drafts/unsaved-forms";
import { useHiddenFiles } from "../items/hidden-files";
import { usePlacing } from "../placement/use-placing";
import { useStageContent } from "../placement/use-stage-content";
import { editorAction } from "./editor-action.server";
import { EditorProvider, type EditorView } from "./editor-context";
import { EditorSplit } from "./editor-split";
import { Parts, shownParts, useEverTrue, usePreloadParts } from "./panel-parts";
import { PanelBody, PanelTabs } from "./panel-tabs";
import {
  formPart,
  isContentPanel,
  isListPanel,
  isScenePanel,
  listHref,
  openItemId,
  panelHref,
  readPanel,
} from "./panels";
import { readEditor } from "./read.server";
import { shouldRevalidateEditor } from "./should-revalidate-editor";
import { useContentEditor } from "./use-content-editor";
import { useContentLeave } from "./use-content-leave";
import { useParamPreview } from "./use-param-preview";
import { useReloadSettings } from "./use-reload-settings";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return readEditor(context, uuidParam(params.uuid), new URL(request.url).searchParams);
}

export async function action(args: ActionFunctionArgs) {
  return editorAction(args);
}

export const shouldRevalidate = shouldRevalidateEditor;
export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["content", "events", "shared-owners", "visitors"],
  parts: shownParts,
  topBar: ({ event, name, opens }: ReturnType<typeof useLoaderData<typeof loader>>) => ({
    title: name,
    status: { statusId: event.currentStatus, opens },
  }),
  stage: true,
};

export default function EventEditor() {
  const { language } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const { event, timeZone, copied, shop } = page;
  const { scene, showParams } = useParamPreview(page, result);
  const contentEditor = useContentEditor(event.saved.id, page);
  const { editor, state } = contentEditor;
  const stage = useRef<ViewerHandle>(null);
  const hiddenFiles = useHiddenFiles(page);
  const { ids, pins, placedMedia } = useStageContent(state.content, language, hiddenFiles);
  const viewerLink = readViewerLink(searchParams);
  const chosenId = openItemId(searchParams);
  const accessibleList = useAccessibleList(ids, chosenId);
  const guard = useLeaveGuard();
  useContentLeave(state.save);
  useReloadSettings(state, guard);
  const [unsavedForms] = useState(createUnsavedForms);
  const { onPanels } = guard;
  const hasUnsavedForms = useUnsavedForms(unsavedForms, state.content).count > 0;
  useEffect(() => onPanels(hasUnsavedForms), [onPanels, hasUnsavedForms]);
  const [isStageShown, setStageShown] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  const [connection, setConnection] = useState<Connection>("connecting");
  const panel = readPanel(searchParams);
  const openForm = (id: string, pick?: "product") => {
    const isTag = !state.content.media.some((mediaItem) => mediaItem.id === id);
    const listPanel = isTag ? "tags" : "media";
    const listSearchParams = panel === listPanel ? searchParams : new URLSearchParams({ panel: listPanel });
    const formParams = { [isTag ? "tag" : "medium"]: id, ...(pick && { pick, from: "store" }) };
    navigate(listHref(listSearchParams, formParams), { preventScrollReset: true });
  };
  const openItem = (id: string | null) =>
    id === null ? navigate(panelHref(panel)) : id !== chosenId && openForm(id);
  const { placing, setPlacing, ...placeHandlers } = usePlacing(editor, openForm);
  const view: EditorView = {
    eventId: event.saved.id,
    spaceId: page.space.id,
    ...contentEditor,
    unsavedForms,
    stage,
    store: useEventStore(event, state.content, panel, page.shop),
    placing,
    hiddenFiles,
    source: scene.source,
    trashed: page.content.trashed,
    canPlace: !hasFailed && (scene.source.kind !== "showcase" || connection === "connected"),
    hasFailed,
    freeBytes: page.freeBytes,
    connection: scene.source.kind === "showcase" ? connection : null,
    hasUnsavedSettings: guard.isPageUnsaved,
    isPublished: event.currentStatus === EVENT_STATUS.published,
    onPlacing: setPlacing,
  };
  useEffect(() => accessibleList.openPin(chosenId), [chosenId, accessibleList.openPin]);
  const outcome = result && "action" in result ? result : null;
  const panelProps = { picker: page.picker, newId: page.newId, outcome };
  const inDialog = searchParams.get("dialog") === "status";
  const shownFormPart = page.shop.picker ? null : formPart(panel);
  const hasOpenedForm = useEverTrue(shownFormPart !== null);
  usePreloadParts();
  const settings = useEventSettings({
    page,
    guard,
    outcome: result && !("action" in result) ? result : null,
    closeHref: inDialog ? hrefWith(searchParams, "dialog", null) : panelHref(panel),
  });
  return (
    <EditorProvider view={view} eventName={event.saved.eventName}>
      <EditorSplit
        scene={scene}
        pins={pins}
        media={placedMedia}
        title={page.name}
        accessibleList={{ ...accessibleList, openPin: openItem }}
        initialViewpoint={viewerLink.viewpoint}
        isStageShown={isStageShown}
        {...placeHandlers}
        onConnection={setConnection}
        onFailed={(failed) => {
          setFailed(failed);
          if (failed) setPlacing(null);
        }}
      >
        <EventHeader
          event={event}
          space={page.space}
          mayExportAndDelete={page.mayExportAndDelete}
          isStageShown={isStageShown}
          onStageVisibility={setStageShown}
          panel={panel}
        >
          <UndoButtons />
        </EventHeader>
        <PanelTabs panel={panel}>{isContentPanel(panel) && <SaveBar />}</PanelTabs>
        <PanelBody>
          {isListPanel(panel) && (
            <Parts.ContentPanel
              {...panelProps}
              panel={panel}
              accessibleList={accessibleList}
              products={shop.picker}
              copied={copied}
            />
          )}
          {isScenePanel(panel) && <Parts.ScenePanel {...panelProps} part={panel} />}
          {panel === "store" && (
            <Parts.StorePanel {...shop} event={event} outcome={outcome} timeZone={timeZone} />
          )}
          {/* The form stays mounted, so that its values are kept while another panel is open. */}
          {hasOpenedForm && (
            <Parts.EventPanel
              {...settings}
              part={shownFormPart}
              inDialog={inDialog}
              checks={page.checklist && <Parts.PublishPanel {...page} checklist={page.checklist} />}
              paramPreview={{
                onTyped: showParams,
                ...(!isStageShown && { onShow: () => setStageShown(true) }),
              }}
            />
          )}
          {page.history && (
            <Parts.HistoryPanel eventId={event.saved.id} history={page.history} timeZone={timeZone} />
          )}
          {formPart(panel) === null && <ProductVersion />}
        </PanelBody>
      </EditorSplit>
      {inDialog && <Parts.EventDialog {...settings} />}
      {page.copyTargets && isListPanel(panel) && (
        <Parts.CopyDialog targets={page.copyTargets} outcome={outcome} />
      )}
      {guard.question}
    </EditorProvider>
  );
}
