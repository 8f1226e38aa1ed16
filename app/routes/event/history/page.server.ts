import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Comparison, EventSnapshot } from "#functions/services/events/history";
import type { ItemDifference } from "~/domain/events/history";
import { atWidth } from "~/domain/library/media-address";
import { inLanguage } from "~/domain/shared/localized";
import type { Actor, Lang, Localized, Uuid, Vec3 } from "~/domain/shared/model";
import { isEqual } from "~/domain/shared/same";

/** What a state can be held against. */
export const COMPARISONS: readonly Comparison[] = ["now", "published", "before"];

/** The number of a change out of an address or a form; null for anything else. */
export const seqOf = (value: unknown): number | null =>
  typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : null;

/** What the page shows: the moments, and one state held against another. */
export async function readHistoryPage(
  context: AppLoadContext,
  actor: Actor,
  eventId: Uuid,
  search: URLSearchParams,
) {
  const { history } = context.services;
  const before = seqOf(search.get("before"));
  const list = await history.listHistory({ actor, eventId, ...(before !== null && { before }) });
  const seq = seqOf(search.get("seq"));
  const since = seqOf(search.get("since")) ?? 0;
  const wanted = search.get("with");
  // Nothing chosen: what visitors would see of it that they have not seen.
  const comparison = COMPARISONS.find((each) => each === wanted) ?? (seq === null ? "published" : "now");
  const shown = seq ?? list.latest;
  const found = await history.readRevision({ actor, eventId, seq: shown, comparison, since });
  const moment = list.moments.find(({ steps }) => steps.some((step) => step.seq === shown));
  const query = new URLSearchParams({
    ...(before !== null && { before: String(before) }),
    ...(seq !== null && { seq: String(seq) }),
    ...(wanted === comparison && { with: comparison }),
    ...(since > 0 && { since: String(since) }),
  });
  const restored = seqOf(search.get("restored"));
  const [from, to] = [seqOf(search.get("from")), seqOf(search.get("to"))];
  return {
    event: { id: eventId, name: list.eventName, space: { id: list.space.id, name: list.space.name } },
    moments: list.moments,
    earlier: list.earlier,
    latest: list.latest,
    isNewest: before === null,
    createdAt: list.createdAt,
    historyFrom: list.historyFrom,
    isChosen: seq !== null,
    query: query.toString(),
    before,
    look: lookOf(found, context.lang, {
      at: moment?.steps.find((step) => step.seq === shown)?.at ?? null,
      since,
    }),
    outcome:
      restored === null
        ? null
        : {
            restored,
            refused: null,
            isUndone: search.has("undone"),
            undo: from === null || to === null ? null : { from, to },
          },
  };
}

/** The page's data. */
export type HistoryPage = Awaited<ReturnType<typeof readHistoryPage>>;

/** A point of the picture from above. */
export interface MapMark {
  readonly name: string;
  /** The thing's in the list. */
  readonly number: number;
  readonly kind: "added" | "removed" | "moved";
  readonly from: Vec3 | null;
  readonly to: Vec3 | null;
}

function markOf({ kinds, from, to }: ItemDifference): Omit<MapMark, "number" | "name"> | null {
  if (from && to) return kinds.includes("moved") && !isEqual(from, to) ? { kind: "moved", from, to } : null;
  return from || to ? { kind: to ? "added" : "removed", from, to } : null;
}

/** The floor plan of a state, if its picture can still be shown. */
export function planOf({ state, media }: Pick<EventSnapshot, "state" | "media">) {
  const { plan } = state.scene;
  const medium = media.find(({ id }) => id === plan?.mediaId);
  const { width, height } = medium?.facts ?? {};
  if (!plan || !medium || medium.loss !== null || !width || !height) return null;
  const { center, rotation } = plan;
  return {
    picture: atWidth(`/media/${medium.libraryItemId}`, 1280),
    frame: { center, rotation, width: plan.width, height: (plan.width * height) / width },
  };
}

/** What visitors read over a stop; without words where it has neither a title nor a tag with one. */
function namedStop(title: Localized, tagTitle: Localized | null, lang: Lang) {
  const own = inLanguage(title, lang);
  return own.text !== "" || !tagTitle ? own : inLanguage(tagTitle, lang);
}

function lookOf(
  found: EventSnapshot,
  lang: Lang,
  more: { readonly at: string | null; readonly since: number },
) {
  const { difference, published, state } = found;
  const told = (text: Localized) => inLanguage(text, lang);
  const touched = new Set(difference?.items.map(({ id }) => id));
  const marked = (difference?.items ?? []).flatMap((item) => {
    const mark = markOf(item);
    return mark ? [{ id: item.id, mark: { ...mark, name: told(item.title).text } }] : [];
  });
  const marks = marked.map(({ mark }, index): MapMark => ({ ...mark, number: index + 1 }));
  return {
    ...more,
    seq: found.seq,
    isLatest: found.isLatest,
    comparison: found.comparison,
    /** The published state that it is held against came after it. */
    isBeforePublished: published !== null && published.seq > found.seq,
    isPublishedNow: published !== null && published.to === null,
    hasPublished: published !== null,
    difference: difference && {
      ...difference,
      stops: difference.stops.map(({ title, tagTitle, ...stop }) => ({
        ...stop,
        title: namedStop(title, tagTitle, lang),
      })),
      items: difference.items.map((item) => ({
        ...item,
        title: told(item.title),
        /** Its mark's on the picture from above; 0 without one. */
        number: marked.findIndex(({ id }) => id === item.id) + 1,
      })),
    },
    map: {
      marks,
      plan: planOf(found),
      still: [...state.tags.values()].flatMap(({ id, title, position }) =>
        position && !touched.has(id) ? [{ name: told(title).text, position }] : [],
      ),
    },
    tour: state.scene.tour.map(({ id, title, text, tagId }, index) => ({
      id,
      at: index + 1,
      text: told(text),
      title: namedStop(title, state.tags.get(tagId ?? "")?.title ?? null, lang),
    })),
    tags: found.tags.map(({ id, title, body, color, position, hidden }) => ({
      id,
      color,
      hidden,
      isPlaced: position !== null,
      title: told(title),
      body: told(body),
    })),
    media: found.media.map(({ id, title, description, facts, loss, libraryItemId, hidden }) => ({
      id,
      loss,
      hidden,
      title: told(title),
      description: told(description),
      picture:
        loss === null && (facts?.kind === "image" || facts?.hasStill)
          ? `/media/${libraryItemId}?w=160`
          : null,
    })),
  };
}

/** A state as the page shows it. */
export type LookData = HistoryPage["look"];
