import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import {
  type MetaFunction,
  useActionData,
  useLoaderData,
  useLocation,
  useSearchParams,
} from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Dialog } from "~/components/dialog";
import { EmptyState } from "~/components/states";
import { useHydrated } from "~/components/use-hydrated";
import { isLinkOpen } from "~/domain/status";
import { EventConflict } from "~/forms/event-conflict";
import { EventForm, type EventFormProps } from "~/forms/event-form";
import { useLeaveGuard } from "~/forms/use-leave-guard";
import { useTranslation } from "~/i18n/use-translation";
import { readViewerLink, useTwin } from "~/viewer/Viewer";
import { saveEvent } from "./edit/event-action";
import { EventHeader } from "./edit/event-header";
import { formEvent, openedForm, paramsIn } from "./edit/event-page";
import type { RouteHandle } from "./shared/handle";
import { uuidParam } from "./shared/ids";
import { namedTitle } from "./shared/title";
import { ProductVersion } from "./shared/version";
import { ContentList } from "./visit/content-list";
import { makeScene } from "./visit/scene";
import { Split } from "./visit/split";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.requireSession();
  const eventId = uuidParam(params.uuid);
  const found = await context.services.events.getEvent({ actor, eventId });
  const { event, space, currentStatus } = found;
  return {
    title: namedTitle(context, event.eventName),
    event: formEvent(event, currentStatus, context.origin),
    opened: openedForm(found, user.timeZone, context),
    space: { id: space.id, name: space.name, isShowcase: space.source.kind === "showcase" },
    urlParams: paramsIn(context.lang, context.urlParams),
    timeZone: user.timeZone,
    now: context.now,
    scene: makeScene({
      lang: context.lang,
      space,
      tags: found.tags,
      media: found.media,
      urlParams: event.urlParams,
      fileUrl: (id) => `/media/${id}`,
    }),
  };
}

export const action = saveEvent;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  topBar: ({ event }: ReturnType<typeof useLoaderData<typeof loader>>) => ({
    title: event.saved.eventName,
    status: { statusId: event.currentStatus, href: "?dialog=status" },
  }),
  stage: true,
};

export default function EventEditor() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const [search] = useSearchParams();
  const { event, scene } = page;
  const { saved } = event;
  const ids = useMemo(() => [...scene.tags, ...scene.media].map((item) => item.id), [scene]);
  const link = readViewerLink(search);
  const twin = useTwin(ids, link.tagId);
  const { round, cancel } = useCancelRound();
  const guard = useLeaveGuard();
  const hydrated = useHydrated();
  const [stageShown, setStageShown] = useState(true);
  const inDialog = search.get("dialog") === "status";
  const form: Omit<EventFormProps, "id"> = {
    event,
    opened: page.opened,
    lastResult: result?.lastResult,
    conflictVersion: result?.conflict?.version,
    urlParams: page.urlParams,
    isShowcase: page.space.isShowcase,
    timeZone: page.timeZone,
    now: page.now,
    cancelHref: `/event/${saved.id}`,
    typedSecrets: result?.typedSecrets,
  };
  const conflict = result?.conflict && (
    <EventConflict
      rows={result.conflict.rows}
      urlParams={page.urlParams}
      reloadHref={`/event/${saved.id}`}
      onReload={() => guard.release(inDialog ? "dialog" : "page")}
    />
  );
  const visitHref = isLinkOpen(event.currentStatus, "published")
    ? event.publicLink
    : isLinkOpen(event.currentStatus, "preview")
      ? event.previewLink
      : null;
  return (
    <>
      <Split
        scene={scene}
        title={saved.eventName}
        twin={twin}
        initialViewpoint={link.viewpoint}
        underBar
        phoneStage={stageShown ? "small" : "none"}
      >
        <div className="grid gap-8 px-4 py-6 sm:px-6">
          <EventHeader
            name={saved.eventName}
            space={page.space}
            visitHref={visitHref}
            timeline={{
              start: saved.startDate,
              end: saved.endDate,
              now: new Date(page.now).toISOString(),
              statusId: event.currentStatus,
              timeZone: page.timeZone,
            }}
            stageShown={stageShown}
            onStage={setStageShown}
          />
          <section aria-labelledby="settings-title" className="grid gap-6">
            <h2 id="settings-title" className="text-base font-semibold">
              {t("events.settings")}
            </h2>
            {!inDialog && conflict}
            {/* Under a dialog that the server opens it would only be carried twice. */}
            {(hydrated || !inDialog) && (
              <EventForm
                key={`inline ${saved.version} ${round}`}
                id="event"
                {...form}
                {...(inDialog && { lastResult: null, conflictVersion: undefined, typedSecrets: undefined })}
                onCancel={() => {
                  guard.release("page");
                  cancel();
                }}
                onUnsaved={guard.onPage}
              />
            )}
          </section>
          {ids.length === 0 ? (
            <EmptyState icon="place" title={t("events.content")}>
              {t("events.noContent")}
            </EmptyState>
          ) : (
            <ContentList scene={scene} twin={twin} />
          )}
          <ProductVersion />
        </div>
      </Split>
      {inDialog && (
        <Dialog title={t("events.statusDialog")} closeHref={`/event/${saved.id}`}>
          <div className="grid gap-6">
            {conflict}
            <EventForm
              key={`dialog ${saved.version}`}
              id="event-dialog"
              {...form}
              onCancel={() => guard.release("dialog")}
              onUnsaved={guard.onDialog}
            />
          </div>
        </Dialog>
      )}
      {guard.question}
    </>
  );
}

/**
 * Counts cancellations: a form that stays on the page begins anew once the page without its answer has arrived, and not
 * before, when it would still be given back what was refused.
 */
function useCancelRound() {
  const { key } = useLocation();
  const cancelled = useRef(false);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another arrival
  useEffect(() => {
    if (!cancelled.current) return;
    cancelled.current = false;
    setRound((count) => count + 1);
  }, [key]);
  return {
    round,
    cancel: () => {
      cancelled.current = true;
    },
  };
}
