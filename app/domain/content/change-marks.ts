/** Shows in the 3D space how two states of an event differ: changed tags get marks, and other changed items are shown as tags with marks. */

import type { ItemChange, ItemDifference } from "../events/history";
import { inLanguage } from "../shared/localized";
import type { EventTag, Lang, Vec3 } from "../shared/model";
import { DEFAULT_STEM } from "./tag-defaults";

/** The meaning of a mark: the kind of change (ItemChange). `from` marks the previous position of a moved item; `restyled`: other settings changed. */
export type MarkKind = ItemChange | "from";

/** Marks differ in icon and text, not in colour alone. An item shows the first listed mark among its kinds. */
export const MARKS = [
  { kind: "added", icon: "plus", color: "#1f7a4d" },
  { kind: "removed", icon: "minus", color: "#b3261e" },
  { kind: "moved", icon: "place", color: "#3b4fa8" },
  { kind: "from", icon: "undo", color: "#5b6bb5" },
  { kind: "reworded", icon: "edit", color: "#8a5a00" },
  { kind: "hidden", icon: "eye-off", color: "#6a4c93" },
  { kind: "shown", icon: "eye", color: "#6a4c93" },
  { kind: "restyled", icon: "settings", color: "#6a4c93" },
] as const satisfies readonly { readonly kind: MarkKind; readonly icon: string; readonly color: string }[];

/** Colour of an unchanged item. */
const UNCHANGED = "#7a7f87";

type MarkedTag = Omit<EventTag, "version" | "eventId" | "hidden">;

/** The texts of marks, in the reader's language. */
export interface MarkTexts {
  readonly lang: Lang;
  kind(kind: MarkKind): string;
  /** Returns the title of a marked item. @param kinds the texts of its marks, joined */
  title(kinds: string, title: string): string;
  /** Returns the title of a media item, marked as such because it is shown among tags. */
  mediaItem(title: string): string;
}

const isMoved = ({ kinds, from, to }: ItemDifference): boolean =>
  kinds.includes("moved") && from !== null && to !== null && from.some((part, axis) => part !== to[axis]);

/**
 * Returns the tags of the later state, and entries for removed items, the former positions of moved items, and changed media. Unchanged tags are last.
 * The titles of marked entries are in the reader's language.
 * @param items the differences from the earlier state to the later one
 */
export function markedTags<Tag extends MarkedTag>(
  tags: readonly Tag[],
  items: readonly ItemDifference[],
  texts: MarkTexts,
): readonly (Tag | MarkedTag)[] {
  const differences = new Map(items.map((item) => [item.id, item]));
  const visibleIds = new Set(tags.map(({ id }) => id));
  const markTag = (base: MarkedTag, kinds: readonly MarkKind[], title: string): MarkedTag => {
    const { icon, color } = MARKS.find(({ kind }) => kinds.includes(kind)) ?? MARKS[0];
    const names = kinds.map(texts.kind);
    const text = texts.title(names.join("・"), title);
    return { ...base, icon, color, title: { ja: text, en: text }, keywords: [...names, ...base.keywords] };
  };
  const createMarkTag = (
    item: ItemDifference,
    id: string,
    position: Vec3 | null,
    kinds: readonly MarkKind[],
  ): MarkedTag => {
    const title = inLanguage(item.title, texts.lang).text;
    return markTag(
      {
        id,
        title: item.title,
        body: { ja: "", en: "" },
        color: UNCHANGED,
        icon: "info",
        keywords: [],
        linkUrl: null,
        position,
        stem: DEFAULT_STEM,
        viewpoint: null,
        mediaIds: [],
        product: null,
        sortOrder: 0,
      },
      kinds,
      item.type === "media" ? texts.mediaItem(title) : title,
    );
  };
  const entriesWithoutTag = items.flatMap((item) => {
    const { id, from, to, kinds } = item;
    return [
      // A media item may have an entry of its own with its id, so its mark needs another id.
      ...(visibleIds.has(id)
        ? []
        : [createMarkTag(item, item.type === "media" ? `${id}-marked` : id, to ?? from, kinds)]),
      ...(isMoved(item) ? [createMarkTag(item, `${id}-from`, from, ["from"])] : []),
    ];
  });
  const changedTags = tags.flatMap((tag) => {
    const item = differences.get(tag.id);
    return item ? [markTag(tag, item.kinds, inLanguage(tag.title, texts.lang).text)] : [];
  });
  const unmarkedTags = tags.filter(({ id }) => !differences.has(id));
  return [...changedTags, ...entriesWithoutTag, ...unmarkedTags.map((tag) => ({ ...tag, color: UNCHANGED }))];
}
