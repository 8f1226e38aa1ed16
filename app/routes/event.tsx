import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import {
  type MetaFunction,
  useActionData,
  useLoaderData,
  useLocation,
  useSearchParams,
} from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { Dialog } from "~/components/dialog";
import { Icon } from "~/components/icon";
import { EmptyState } from "~/components/states";
import { StatusTimeline } from "~/components/status-timeline";
import { isLinkOpen } from "~/domain/status";
import { EventConflict } from "~/forms/event-conflict";
import { EventForm, type EventFormProps } from "~/forms/event-form";
import { useTranslation } from "~/i18n/use-translation";
import { readViewerLink, useTwin } from "~/viewer/Viewer";
import { saveEvent } from "./edit/event-action";
import { formEvent, openedForm } from "./edit/event-page";
import type { RouteHandle } from "./shared/handle";
import { uuidParam } from "./shared/ids";
import { namedTitle } from "./shared/title";
import { ContentList } from "./visit/content-list";
import { makeScene } from "./visit/scene";
import { Split } from "./visit/split";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.requireSession();
  const eventId = uuidParam(params.uuid);
  const found = await context.services.events.getEvent({ actor, eventId });
  const { event, space, currentStatus } = found;
  return {
    title: namedTitle(context, event.eventName),
    event: formEvent(event, currentStatus, new URL(request.url).origin),
    opened: openedForm(found, user.timeZone, context),
    space: { id: space.id, name: space.name, isShowcase: space.source.kind === "showcase" },
    urlParams: context.urlParams,
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
  };
  const conflict = result?.conflict && (
    <EventConflict rows={result.conflict.rows} reloadHref={`/event/${saved.id}`} />
  );
  const visitHref = isLinkOpen(event.currentStatus, "published")
    ? event.publicLink
    : isLinkOpen(event.currentStatus, "preview")
      ? event.previewLink
      : null;
  return (
    <>
      <Split scene={scene} title={saved.eventName} twin={twin} initialViewpoint={link.viewpoint} underBar>
        <div className="grid gap-8 px-4 py-6 sm:px-6">
          <header className="grid gap-4">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Anchor
                href={`/space/${page.space.id}`}
                className="inline-flex min-h-10 min-w-0 items-center gap-2 text-sm text-muted underline-offset-4 hover:underline"
              >
                <Icon name="arrow-left" size={16} />
                <span className="truncate">{page.space.name}</span>
                <span className="sr-only">{t("events.backToSpace")}</span>
              </Anchor>
              {visitHref && (
                <LinkButton href={visitHref} variant="quiet" icon="external" target="_blank">
                  {t("events.openAsVisitor")}
                </LinkButton>
              )}
            </div>
            <h1 className="text-lg leading-title font-semibold [overflow-wrap:anywhere]">
              {saved.eventName}
            </h1>
            <StatusTimeline
              start={saved.startDate}
              end={saved.endDate}
              now={new Date(page.now).toISOString()}
              statusId={event.currentStatus}
              timeZone={page.timeZone}
            />
          </header>
          <section aria-labelledby="settings-title" className="grid gap-6">
            <h2 id="settings-title" className="text-base font-semibold">
              {t("events.settings")}
            </h2>
            {!inDialog && conflict}
            <EventForm
              key={`inline ${saved.version} ${round}`}
              id="event"
              onCancel={cancel}
              {...form}
              lastResult={inDialog ? null : form.lastResult}
            />
          </section>
          {ids.length === 0 ? (
            <EmptyState icon="place" title={t("events.content")}>
              {t("events.noContent")}
            </EmptyState>
          ) : (
            <ContentList scene={scene} twin={twin} />
          )}
        </div>
      </Split>
      {inDialog && (
        <Dialog title={t("events.statusDialog")} closeHref={`/event/${saved.id}`}>
          <div className="grid gap-6">
            {conflict}
            <EventForm key={`dialog ${saved.version}`} id="event-dialog" {...form} />
          </div>
        </Dialog>
      )}
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
