/** Merges a value that two users changed concurrently. The editor's script and the forms without scripts share this rule. */

import { isEqual } from "../shared/is-equal";
import { isRecord } from "../shared/is-record";

/** A merged value. If `clash` is true, both users changed the same part, and the value contains the part of `mine`. */
export interface Merge {
  readonly value: unknown;
  readonly clash: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
type ListItem = Fields & { readonly id: string };

const isLocalized = (value: unknown): value is Fields =>
  isRecord(value) && Object.keys(value).length === 2 && "ja" in value && "en" in value;
const isItemList = (value: unknown): value is readonly ListItem[] =>
  Array.isArray(value) && value.every((item) => isRecord(item) && typeof item.id === "string");

/**
 * Merges a value that was `was` and that two users changed to `mine` and to `now`. Texts are merged by language. Lists of items with an id are merged
 * by the fields of each item, by the existence of each item, and by order. A part that only one user changed takes that user's value. Any other value
 * is merged as a whole.
 */
export function merge(was: unknown, mine: unknown, now: unknown): Merge {
  if (isEqual(now, was) || isEqual(now, mine)) return { value: mine, clash: false };
  if (isEqual(mine, was)) return { value: now, clash: false };
  if (isLocalized(was) && isLocalized(mine) && isLocalized(now)) return mergeFields(was, mine, now);
  if (isItemList(was) && isItemList(mine) && isItemList(now)) return mergeLists(was, mine, now);
  return { value: mine, clash: true };
}

function mergeFields(was: Fields, mine: Fields, now: Fields): Merge {
  const merged = Object.keys(mine).map((name) => [name, merge(was[name], mine[name], now[name])] as const);
  return {
    value: Object.fromEntries(merged.map(([name, { value }]) => [name, value])),
    clash: merged.some(([, { clash }]) => clash),
  };
}

const byId = (items: readonly ListItem[]) => new Map(items.map((item) => [item.id, item]));

function mergeLists(was: readonly ListItem[], mine: readonly ListItem[], now: readonly ListItem[]): Merge {
  const [wasById, mineById, nowById] = [byId(was), byId(mine), byId(now)];
  const remaining = new Map<string, ListItem>();
  let clash = false;
  for (const id of new Set([...mineById.keys(), ...nowById.keys()])) {
    const [wasItem, mineItem, nowItem] = [wasById.get(id), mineById.get(id), nowById.get(id)];
    if (mineItem && nowItem) {
      const merged = mergeFields(wasItem ?? {}, mineItem, nowItem);
      clash ||= merged.clash;
      remaining.set(id, merged.value as ListItem);
    } else if (mineItem) {
      // The item is new here, or the other user deleted it without knowing of the change made here.
      if (!wasItem || !isEqual(mineItem, wasItem)) remaining.set(id, mineItem);
      if (wasItem && !isEqual(mineItem, wasItem)) clash = true;
    } else if (nowItem) {
      if (!wasItem) remaining.set(id, nowItem);
      else if (!isEqual(nowItem, wasItem)) clash = true;
    }
  }
  const commonIds = (items: readonly ListItem[]) =>
    items.flatMap(({ id }) => (wasById.has(id) && mineById.has(id) && nowById.has(id) ? [id] : []));
  const [wasOrder, mineOrder, nowOrder] = [commonIds(was), commonIds(mine), commonIds(now)];
  const isMoved = !isEqual(mineOrder, wasOrder);
  if (isMoved && !isEqual(nowOrder, wasOrder) && !isEqual(nowOrder, mineOrder)) clash = true;
  const ids = isMoved ? mergeOrder(mine, now, remaining) : mergeOrder(now, mine, remaining);
  return { value: ids.map((id) => remaining.get(id)), clash };
}

/**
 * Returns the ids of the remaining items in the order of the first list. Items that only the second list has come before the items that follow them
 * there.
 */
function mergeOrder(
  first: readonly ListItem[],
  second: readonly ListItem[],
  remaining: ReadonlyMap<string, unknown>,
): readonly string[] {
  const ids = first.flatMap(({ id }) => (remaining.has(id) ? [id] : []));
  let insertAt = ids.length;
  for (const { id } of [...second].reverse()) {
    const index = ids.indexOf(id);
    if (index === -1 && remaining.has(id)) ids.splice(insertAt, 0, id);
    else if (index !== -1) insertAt = index;
  }
  return ids;
}
