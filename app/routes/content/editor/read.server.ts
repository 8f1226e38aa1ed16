/** Reads the data of the editor's page, and the data that some panels need only when they are open, such as events to copy to. */

import type { AppLoadContext } from "@remix-run/cloudflare";
import { createDateFormatter } from "~/components/date-time";
import type { Actor } from "~/domain/auth/actor";
import { publishChecklist } from "~/domain/events/publish-checklist";
import { linkOpensAt } from "~/domain/events/status";
import { preparedPanoramas } from "~/domain/library/prepared-panoramas";
import { toUuid } from "~/domain/shared/ids";
import { storageLeft } from "~/domain/shared/limits";
import { textIn } from "~/domain/shared/localized";
import type { Event, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { toLocalInput } from "~/domain/shared/time-zone";
import { getEventStore } from "~/domain/store/event-store";
import { languages } from "~/i18n/languages.server";
import { createFormInput, formEvent, reduceParamsToLanguage } from "../../events/record/event-page";
import { namedTitle } from "../../shared/title";
import { readOwnStores } from "../../store/settings/own-stores.server";
import { readStore } from "../../store/settings/store-read.server";
import { makeScene } from "../../visitors/scene/scene";
import { hiddenFile } from "../items/hidden-files";
import { readPicker } from "../media-picker/read.server";
import { fileUrl } from "../placement/use-stage-content";
import { readPanel } from "./panels";

interface EditorRead {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly searchParams: URLSearchParams;
}

/** Reads the events to which items can be copied: the other events of the space. Null if the URL does not open the copy dialog. */
export async function readCopyTargets(input: EditorRead, spaceId: Uuid, eventId: Uuid) {
  const { context, actor, searchParams } = input;
  if (!searchParams.has("copy")) return null;
  const { events } = await context.services.events.listEvents({ actor, spaceId, pageSize: 100 });
  return events.items.flatMap(({ id, eventName, currentStatus }) =>
    id === eventId ? [] : [{ id, name: textIn(eventName, context.lang), statusId: currentStatus }],
  );
}

/** Reads the event to which items were just copied; null if none were copied, or if the user may not see it. */
async function readCopied({ context, actor, searchParams }: EditorRead) {
  const eventId = toUuid(searchParams.get("copied"));
  if (eventId === null) return null;
  const result = await context.attempt(context.services.events.getEvent({ actor, eventId }));
  return result.ok ? { id: eventId, name: textIn(result.value.event.eventName, context.lang) } : null;
}

/** Event to which items were just copied; null if none were copied, or if the user may not see it. */
export type Copied = Awaited<ReturnType<typeof readCopied>>;

export type CopyTargets = NonNullable<Awaited<ReturnType<typeof readCopyTargets>>>;

/** Maximum number of events that are read for the calendar. A space has at most 50 (EVENTS_PER_SPACE_MAX). */
const CALENDAR_EVENTS = 100;

/** Reads the other events of the space for the calendar. */
async function readOtherEvents({ context, actor }: EditorRead, spaceId: Uuid, eventId: Uuid) {
  const { events } = await context.services.events.listEvents({ actor, spaceId, pageSize: CALENDAR_EVENTS });
  return events.items
    .filter(({ id }) => id !== eventId)
    .map(({ eventName, startDate, endDate }) => ({
      name: textIn(eventName, context.lang),
      startDate,
      endDate,
    }));
}

/** Formats the time at which an event opens by itself, with the year unless it is the current one; null if it does not open by itself. */
function formatOpeningTime({ now, lang }: AppLoadContext, event: Event, timeZone: string): string | null {
  const { t } = languages[lang];
  const opensAt = linkOpensAt(event, "published", now);
  if (opensAt === null) return null;
  const [openingTime, currentTime] = [opensAt, now].map((time) =>
    toLocalInput(new Date(time).toISOString(), timeZone),
  );
  const year = openingTime?.slice(0, 4) !== currentTime?.slice(0, 4);
  return t("shared-owners:opensAt", { date: createDateFormatter(t)(openingTime ?? "", { year }) });
}

/** Reads all data of the editor's page. Throws a response if the user may not see the event. */
export async function readEditor(context: AppLoadContext, eventId: Uuid, searchParams: URLSearchParams) {
  const { actor, user } = await context.session.require();
  const [result, eventFiles] = await Promise.all([
    context.services.content.getEventContent({ actor, eventId }),
    context.services.spaces.eventFiles({ actor, eventId }),
  ]);
  const { event, space, currentStatus, content } = result;
  const readInput = { context, actor, searchParams };
  const nodes = space.source.kind === "panorama" ? space.source.nodes : [];
  const sourceFileIds = [...new Set(nodes.map(({ mediaId }) => mediaId))];
  const mediaFileIds = content.media.flatMap(({ kind, libraryItemId }) =>
    kind === "web" ? [] : [libraryItemId],
  );
  const files = [...new Set([...sourceFileIds, ...mediaFileIds])].flatMap((id) => eventFiles.get(id) ?? []);
  const panel = readPanel(searchParams);
  const hasStore = getEventStore(event.spStoreUrl, event.spAccessToken) !== null;
  const [picker, store, ownStores, copyTargets, copied, history, checks, otherEvents] = await Promise.all([
    readPicker(readInput),
    readStore({ ...readInput, eventId }),
    panel === "store" && !hasStore ? readOwnStores(readInput) : [],
    readCopyTargets(readInput, space.id, eventId),
    readCopied(readInput),
    panel === "history" ? context.services.history.listHistory({ actor, eventId }) : null,
    panel === "links" ? context.services.events.readPublishChecks({ actor, eventId }) : null,
    panel === "links" || searchParams.has("dialog") ? readOtherEvents(readInput, space.id, eventId) : [],
  ]);
  const { source, poster } = makeScene({
    lang: context.lang,
    space,
    tags: [],
    media: [],
    urlParams: event.urlParams,
    fileUrl,
    showcaseKey: context.page.showcaseKey,
    panoramas: preparedPanoramas(space.source, Object.fromEntries(files.map((item) => [item.id, item]))),
  });
  const name = textIn(event.eventName, context.lang);
  return {
    title: namedTitle(context, name),
    name,
    event: formEvent(event, currentStatus, context.site.origin),
    opens: formatOpeningTime(context, event, user.timeZone),
    // Values with which the event's form opens.
    opened: createFormInput(result, user.timeZone, context),
    // `sid` is the id of a Matterport model.
    space: { id: space.id, name: space.name, sid: space.source.kind === "showcase" ? space.sid : null },
    // Sent as JSON, because the router encodes 800 separate values more slowly.
    urlParams: JSON.stringify(reduceParamsToLanguage(context.lang, context.site.urlParams)),
    storeHosts: context.site.storeHosts,
    timeZone: user.timeZone,
    otherEvents,
    now: context.now,
    scene: { source, poster },
    freeBytes: storageLeft(user),
    hiddenFiles: Object.fromEntries(files.map((item) => [item.id, hiddenFile(item)])),
    userId: actor.userId,
    content,
    picker,
    shop: { ...store, ownStores },
    copyTargets,
    copied,
    // One group more than the panel shows, because a group's link contains the number of the last change before the group.
    history: history && { changeGroups: history.changeGroups.slice(0, 11), earlier: history.earlier },
    checklist:
      checks &&
      publishChecklist({
        timing: event,
        now: context.now,
        hasCover: space.posterMediaId !== null,
        name: event.eventName,
        detail: event.eventDetail,
        tags: content.tags,
        media: content.media,
        tour: content.scene.tour,
        hasStartView: content.scene.startView !== null || space.source.kind === "showcase",
        checks,
        store: hasStore ? (store.status ?? { response: null, failure: null }) : null,
      }),
    mayExportAndDelete: can(actor, "restore", {
      type: "event",
      ownerId: space.ownerId,
      groupId: space.groupId,
    }),
    newId: crypto.randomUUID() as string,
  };
}
