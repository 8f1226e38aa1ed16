import type { AppLoadContext } from "@remix-run/cloudflare";
import type { ComparedState, PastEvent } from "#functions/services/events/history";
import type { Actor } from "~/domain/auth/actor";
import type { ItemDifference } from "~/domain/events/history";
import { atWidth } from "~/domain/library/media-url";
import { isEqual } from "~/domain/shared/is-equal";
import { inLanguage, textIn } from "~/domain/shared/localized";
import type { Lang, Localized, Uuid, Vec3 } from "~/domain/shared/model";

/** States that a state can be compared with. */
export const COMPARISONS: readonly ComparedState[] = ["now", "published", "before"];

/** Parses a whole number from a URL or a form; null if it is invalid. */
export const parseWholeNumber = (value: unknown): number | null =>
  typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : null;

/** Reads the data of the history page: the change groups, and one state compared with another. */
export async function readHistoryPage(
  context: AppLoadContext,
  actor: Actor,
  eventId: Uuid,
  search: URLSearchParams,
) {
  const { history } = context.services;
  // The list shows changes older than this one.
  const beforeSeq = parseWholeNumber(search.get("before"));
  const changeHistory = await history.listHistory({
    actor,
    eventId,
    ...(beforeSeq !== null && { before: beforeSeq }),
  });
  const seq = parseWholeNumber(search.get("seq"));
  // For the comparison "before": the last change before the compared group.
  const since = parseWholeNumber(search.get("since")) ?? 0;
  const comparisonParam = search.get("with");
  // If the URL names neither state, the current one is compared with the published one, which shows what visitors have not seen yet.
  const comparison =
    COMPARISONS.find((state) => state === comparisonParam) ?? (seq === null ? "published" : "now");
  const selectedSeq = seq ?? changeHistory.latest;
  const snapshot = await history.readPastEvent({ actor, eventId, seq: selectedSeq, comparison, since });
  const changeGroup = changeHistory.changeGroups.find(({ steps }) =>
    steps.some((step) => step.seq === selectedSeq),
  );
  const query = new URLSearchParams({
    ...(beforeSeq !== null && { before: String(beforeSeq) }),
    ...(seq !== null && { seq: String(seq) }),
    ...(comparisonParam === comparison && { with: comparison }),
    ...(since > 0 && { since: String(since) }),
  });
  const restoredCount = parseWholeNumber(search.get("restored"));
  const [from, to] = [parseWholeNumber(search.get("from")), parseWholeNumber(search.get("to"))];
  return {
    event: {
      id: eventId,
      name: textIn(changeHistory.eventName, context.lang),
      space: { id: changeHistory.space.id, name: changeHistory.space.name },
    },
    changeGroups: changeHistory.changeGroups,
    earlier: changeHistory.earlier,
    latest: changeHistory.latest,
    isNewest: beforeSeq === null,
    createdAt: changeHistory.createdAt,
    historyFrom: changeHistory.historyFrom,
    isChosen: seq !== null,
    query: query.toString(),
    before: beforeSeq,
    stateView: createStateView(snapshot, context.lang, {
      at: changeGroup?.steps.find((step) => step.seq === selectedSeq)?.at ?? null,
      since,
    }),
    /** Result of a restoration, after the redirect. Items that could not be restored are listed by the action, which then does not redirect. */
    outcome:
      restoredCount === null
        ? null
        : {
            restoredCount,
            rejected: null,
            isUndone: search.has("undone"),
            undo: from === null || to === null ? null : { from, to },
          },
  };
}

/** Data of the history page. */
export type HistoryPage = Awaited<ReturnType<typeof readHistoryPage>>;

/** Marker on the map. */
export interface MapMark {
  readonly name: string;
  /** Number of the marker, which the list shows beside its item. */
  readonly number: number;
  readonly kind: "added" | "removed" | "moved";
  readonly from: Vec3 | null;
  readonly to: Vec3 | null;
}

function createMark({ kinds, from, to }: ItemDifference): Omit<MapMark, "number" | "name"> | null {
  if (from && to) return kinds.includes("moved") && !isEqual(from, to) ? { kind: "moved", from, to } : null;
  return from || to ? { kind: to ? "added" : "removed", from, to } : null;
}

/** Floor plan of a state, if its image can still be displayed. */
export function snapshotPlan({ state, media }: Pick<PastEvent, "state" | "media">) {
  const { plan } = state.scene;
  const mediaItem = media.find(({ id }) => id === plan?.mediaId);
  const { width, height } = mediaItem?.metadata ?? {};
  if (!plan || !mediaItem || mediaItem.loss !== null || !width || !height) return null;
  const { center, rotation } = plan;
  return {
    image: atWidth(`/media/${mediaItem.libraryItemId}`, 1280),
    frame: { center, rotation, width: plan.width, height: (plan.width * height) / width },
  };
}

/** Title of a stop as visitors read it; empty if neither the stop nor its tag has a title. */
function getStopTitle(title: Localized, tagTitle: Localized | null, lang: Lang) {
  const ownTitle = inLanguage(title, lang);
  return ownTitle.text !== "" || !tagTitle ? ownTitle : inLanguage(tagTitle, lang);
}

function createStateView(
  snapshot: PastEvent,
  lang: Lang,
  options: { readonly at: string | null; readonly since: number },
) {
  const { difference, published, state } = snapshot;
  const localize = (text: Localized) => inLanguage(text, lang);
  const changedIds = new Set(difference?.items.map(({ id }) => id));
  const markedItems = (difference?.items ?? []).flatMap((item) => {
    const mark = createMark(item);
    return mark ? [{ id: item.id, mark: { ...mark, name: localize(item.title).text } }] : [];
  });
  const marks = markedItems.map(({ mark }, index): MapMark => ({ ...mark, number: index + 1 }));
  return {
    ...options,
    seq: snapshot.seq,
    isLatest: snapshot.isLatest,
    comparison: snapshot.comparison,
    /** The event's last published state is newer than this one. */
    isBeforePublished: published !== null && published.seq > snapshot.seq,
    isPublishedNow: published !== null && published.to === null,
    difference: difference && {
      ...difference,
      stops: difference.stops.map(({ title, tagTitle, ...stop }) => ({
        ...stop,
        title: getStopTitle(title, tagTitle, lang),
      })),
      items: difference.items.map((item) => ({
        ...item,
        title: localize(item.title),
        /** Number of the item's marker on the map; 0 if it has none. */
        number: markedItems.findIndex(({ id }) => id === item.id) + 1,
      })),
    },
    map: {
      marks,
      plan: snapshotPlan(snapshot),
      unchanged: [...state.tags.values()].flatMap(({ id, title, position }) =>
        position && !changedIds.has(id) ? [{ name: localize(title).text, position }] : [],
      ),
    },
    tour: state.scene.tour.map(({ id, title, text, tagId }, index) => ({
      id,
      number: index + 1,
      text: localize(text),
      title: getStopTitle(title, state.tags.get(tagId ?? "")?.title ?? null, lang),
    })),
    tags: snapshot.tags.map(({ id, title, body, color, position, hidden }) => ({
      id,
      color,
      hidden,
      isPlaced: position !== null,
      title: localize(title),
      body: localize(body),
    })),
    // `loss` is the reason why a media item can no longer be displayed; `metadata` is that of its file.
    media: snapshot.media.map(({ id, title, description, metadata, loss, libraryItemId, hidden }) => ({
      id,
      loss,
      hidden,
      title: localize(title),
      description: localize(description),
      image:
        loss === null && (metadata?.kind === "image" || metadata?.hasThumbnail)
          ? `/media/${libraryItemId}?w=160`
          : null,
    })),
  };
}

/** Data of one state. */
export type StateViewData = HistoryPage["stateView"];
