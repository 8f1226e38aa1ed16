/** What differs between two states, as things that stand in the space: the later state with a mark on all that was changed. */

import type { ItemChange, ItemDifference } from "../events/history";
import { inLanguage } from "../shared/localized";
import type { EventTag, Lang, Vec3 } from "../shared/model";

/** What a mark says. `from`: where a thing stood before it was moved. */
export type MarkKind = ItemChange | "from";

/** Marks differ in their pictures and words, not in their colours alone. The first of a thing's kinds that is listed is the one it shows. */
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

/** What was not changed stands back. */
const UNCHANGED = "#7a7f87";
const STEM: Vec3 = [0, 0.25, 0];

type Shown = Omit<EventTag, "version" | "eventId" | "hidden">;

/** What is said on marks, in the reader's language. */
export interface MarkWords {
  readonly lang: Lang;
  kind(kind: MarkKind): string;
  /** A marked thing's title. */
  title(kinds: string, title: string): string;
  medium(title: string): string;
}

const isMoved = ({ kinds, from, to }: ItemDifference): boolean =>
  kinds.includes("moved") && from !== null && to !== null && from.some((part, axis) => part !== to[axis]);

/**
 * The tags of the later state, those with marks first, and among them whatever is marked and no tag of it: what was removed, where moved
 * things stood, media. Texts are in the reader's language.
 * @param items from the earlier state to the later one
 */
export function markedTags<Tag extends Shown>(
  tags: readonly Tag[],
  items: readonly ItemDifference[],
  words: MarkWords,
): readonly (Tag | Shown)[] {
  const differences = new Map(items.map((item) => [item.id, item]));
  const shown = new Set(tags.map(({ id }) => id));
  const marked = (base: Shown, kinds: readonly MarkKind[], title: string): Shown => {
    const { icon, color } = MARKS.find(({ kind }) => kinds.includes(kind)) ?? MARKS[0];
    const names = kinds.map(words.kind);
    const text = words.title(names.join("・"), title);
    return { ...base, icon, color, title: { ja: text, en: text }, keywords: [...names, ...base.keywords] };
  };
  const ghost = (
    item: ItemDifference,
    id: string,
    position: Vec3 | null,
    kinds: readonly MarkKind[],
  ): Shown => {
    const title = inLanguage(item.title, words.lang).text;
    return marked(
      {
        id,
        title: item.title,
        body: { ja: "", en: "" },
        color: UNCHANGED,
        icon: "info",
        keywords: [],
        linkUrl: null,
        position,
        stem: STEM,
        viewpoint: null,
        mediaIds: [],
        product: null,
        sortOrder: 0,
      },
      kinds,
      item.type === "media" ? words.medium(title) : title,
    );
  };
  const ghosts = items.flatMap((item) => {
    const { id, from, to, kinds } = item;
    return [
      // Of a medium the entry that is its own stays as it is.
      ...(shown.has(id) ? [] : [ghost(item, item.type === "media" ? `${id}-marked` : id, to ?? from, kinds)]),
      ...(isMoved(item) ? [ghost(item, `${id}-from`, from, ["from"])] : []),
    ];
  });
  const own = tags.flatMap((tag) => {
    const item = differences.get(tag.id);
    return item ? [marked(tag, item.kinds, inLanguage(tag.title, words.lang).text)] : [];
  });
  const others = tags.filter(({ id }) => !differences.has(id));
  return [...own, ...ghosts, ...others.map((tag) => ({ ...tag, color: UNCHANGED }))];
}
