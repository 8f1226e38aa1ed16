/** The checklist of an event before its link is sent. Each item is computed from the event, its space, recorded checks or the store's last responses. */
import { LANGS } from "../shared/lang";
import { missingLanguages } from "../shared/localized";
import type {
  EventMedia,
  EventScene,
  EventTag,
  Instant,
  Lang,
  LinkMode,
  Localized,
  Uuid,
} from "../shared/model";
import type { StoreResponse, StoreStatus } from "../store/store";
import { offeredLangs } from "./event-texts";
import { type EventTiming, worksNowOrLater } from "./status";

/** Checks that an editor makes by opening a page of the event: each of its links, and the preview at phone size. */
export type EventCheck = LinkMode | "phone";

/** Ways in which an editor shares a link. */
export type LinkSharing = "mailed" | "copied";

/** The last time of each check. */
export type EventChecks = Readonly<Partial<Record<EventCheck, Instant>>>;

/** Values of an event from which its checklist is computed. */
export interface ChecklistInput {
  /** Status and dates of the event. */
  readonly timing: EventTiming;
  /** Time for which the checklist holds, in epoch milliseconds. */
  readonly now: number;
  /** Whether the event's space has an image. */
  readonly hasCover: boolean;
  readonly name: Localized;
  readonly detail: Localized;
  readonly tags: readonly EventTag[];
  readonly media: readonly EventMedia[];
  readonly tour: EventScene["tour"];
  /** Whether the event has a start view. Also true for a showcase (a space that Matterport hosts), which has its own. */
  readonly hasStartView: boolean;
  readonly checks: EventChecks;
  /** Last responses of the event's store; null without a store. */
  readonly store: StoreStatus | null;
}

/** A text that an item of the event lacks in one language. */
export interface MissingText {
  readonly section: "details" | "tags" | "media" | "tour";
  /** The only item of its section that lacks a text; null if several do, and for the details. */
  readonly itemId: Uuid | null;
  /** Name of the text's field, for example "title.ja". */
  readonly field: string;
}

/** One item of the checklist. */
export type ChecklistItem =
  | { readonly name: "cover" | "start"; readonly isDone: boolean }
  | {
      readonly name: "texts";
      readonly isDone: boolean;
      /** Number of items that lack a text in one language. */
      readonly missing: number;
      /** Languages in which a text is missing. */
      readonly langs: readonly Lang[];
      /** The first missing text; null if there is none. */
      readonly first: MissingText | null;
    }
  | {
      readonly name: "places";
      readonly isDone: boolean;
      /** Number of tags that visitors see and that have no place in the space. */
      readonly missing: number;
    }
  | {
      readonly name: "links";
      readonly isDone: boolean;
      /** The link to be opened next; null if every needed link that works now or later was opened. */
      readonly next: LinkMode | null;
      /** The last time at which a needed link was opened. */
      readonly at: Instant | null;
    }
  | { readonly name: "phone"; readonly isDone: boolean; readonly at: Instant | null }
  | {
      readonly name: "store";
      readonly isDone: boolean;
      /** Time of the store's last response. */
      readonly at: Instant | null;
    };

/** Returns the names of the fields whose text is missing, for example "title.ja". */
const missingFields = (texts: Readonly<Record<string, Localized>>): readonly string[] =>
  Object.entries(texts).flatMap(([name, text]) => missingLanguages(text).map((lang) => `${name}.${lang}`));

/** An event that is offered in one language has no item for missing texts. */
function textsItem({ name, detail, tags, media, tour }: ChecklistInput): readonly ChecklistItem[] {
  if (offeredLangs(name).length < 2) return [];
  const sections = {
    details: [{ itemId: null, fields: missingFields({ eventDetail: detail }) }],
    tags: tags.map(({ id, hidden, title, body }) => ({
      itemId: id,
      fields: hidden ? [] : missingFields({ title, body }),
    })),
    media: media.map(({ id, hidden, title, description }) => ({
      itemId: id,
      fields: hidden ? [] : missingFields({ title, description }),
    })),
    // A stop without a title of its own shows its tag's title.
    tour: tour.map(({ id, title, text }) => ({ itemId: id, fields: missingFields({ title, text }) })),
  };
  const incompleteItems = (["details", "tags", "media", "tour"] as const).flatMap((section) =>
    sections[section].filter(({ fields }) => fields.length > 0).map((item) => ({ section, ...item })),
  );
  const [first, second] = incompleteItems;
  const missing = incompleteItems.length;
  return [
    {
      name: "texts",
      isDone: missing === 0,
      missing,
      langs: LANGS.filter((lang) =>
        incompleteItems.some(({ fields }) => fields.some((field) => field.endsWith(lang))),
      ),
      first: first
        ? {
            section: first.section,
            itemId: second?.section === first.section ? null : first.itemId,
            field: first.fields[0] ?? "",
          }
        : null,
    },
  ];
}

/** A tag without a position appears only in the visitors' list. An event without visible tags has no such item. */
function placesItem({ tags }: ChecklistInput): readonly ChecklistItem[] {
  const visibleTags = tags.filter(({ hidden }) => !hidden);
  const missing = visibleTags.filter(({ position }) => position === null).length;
  return visibleTags.length === 0 ? [] : [{ name: "places", isDone: missing === 0, missing }];
}

/** Returns the items in the order in which an owner works. An event in one language, without visible tags or without a store has no item for them. */
export function publishChecklist(input: ChecklistInput): readonly ChecklistItem[] {
  const { checks, store } = input;
  const items: readonly ChecklistItem[] = [
    { name: "cover", isDone: input.hasCover },
    ...textsItem(input),
    { name: "start", isDone: input.hasStartView },
    ...placesItem(input),
    linkItem(input),
    { name: "phone", isDone: checks.phone !== undefined, at: checks.phone ?? null },
  ];
  return store ? [...items, storeItem(store)] : items;
}

/** The preview link must have been opened, and also the public link if it is open or will open automatically. */
function linkItem({ timing, now, checks }: ChecklistInput): ChecklistItem {
  const isUsable = (mode: LinkMode) => worksNowOrLater(timing, mode, now);
  const neededModes: readonly LinkMode[] = isUsable("published") ? ["preview", "published"] : ["preview"];
  const next = neededModes.find((mode) => checks[mode] === undefined && isUsable(mode)) ?? null;
  const times = neededModes.flatMap((mode) => checks[mode] ?? []).sort();
  return { name: "links", isDone: times.length === neededModes.length, next, at: times.at(-1) ?? null };
}

function storeItem({ response, failure }: StoreStatus): ChecklistItem {
  const toTime = (storeResponse: StoreResponse | null) => storeResponse?.at ?? 0;
  const lastResponse = toTime(failure) > toTime(response) ? failure : response;
  return {
    name: "store",
    isDone: response !== null && lastResponse === response,
    at: lastResponse ? new Date(lastResponse.at).toISOString() : null,
  };
}
