/** What becomes of a value that two people changed at once: the one rule of the editor's script and of forms without scripts. */

import { isRecord } from "../shared/is-record";
import { isEqual } from "../shared/same";

/** A value out of two; with `clash` both changed the same, and there the value is as `mine` has it. */
export interface Merge {
  readonly value: unknown;
  readonly clash: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
type Thing = Fields & { readonly id: string };

const isText = (value: unknown): value is Fields =>
  isRecord(value) && Object.keys(value).length === 2 && "ja" in value && "en" in value;
const isThings = (value: unknown): value is readonly Thing[] =>
  Array.isArray(value) && value.every((each) => isRecord(each) && typeof each.id === "string");

/**
 * What a value is to be when it was `was`, one person made it `mine` and somebody else made it `now`. Of texts each language is by
 * itself; of lists of things that have an id each field of each thing, which things there are, and their order: what only one of
 * the two changed is as that one made it. Everything else is one value.
 */
export function merge(was: unknown, mine: unknown, now: unknown): Merge {
  if (isEqual(now, was) || isEqual(now, mine)) return { value: mine, clash: false };
  if (isEqual(mine, was)) return { value: now, clash: false };
  if (isText(was) && isText(mine) && isText(now)) return mergeFields(was, mine, now);
  if (isThings(was) && isThings(mine) && isThings(now)) return mergeThings(was, mine, now);
  return { value: mine, clash: true };
}

function mergeFields(was: Fields, mine: Fields, now: Fields): Merge {
  const merged = Object.keys(mine).map((name) => [name, merge(was[name], mine[name], now[name])] as const);
  return {
    value: Object.fromEntries(merged.map(([name, { value }]) => [name, value])),
    clash: merged.some(([, { clash }]) => clash),
  };
}

const byId = (things: readonly Thing[]) => new Map(things.map((thing) => [thing.id, thing]));

function mergeThings(was: readonly Thing[], mine: readonly Thing[], now: readonly Thing[]): Merge {
  const [before, here, there] = [byId(was), byId(mine), byId(now)];
  const kept = new Map<string, Thing>();
  let clash = false;
  for (const id of new Set([...here.keys(), ...there.keys()])) {
    const [old, own, other] = [before.get(id), here.get(id), there.get(id)];
    if (own && other) {
      const merged = mergeFields(old ?? {}, own, other);
      clash ||= merged.clash;
      kept.set(id, merged.value as Thing);
    } else if (own) {
      // New here, or deleted by the other one, who did not know what was made of it here.
      if (!old || !isEqual(own, old)) kept.set(id, own);
      if (old && !isEqual(own, old)) clash = true;
    } else if (other) {
      if (!old) kept.set(id, other);
      else if (!isEqual(other, old)) clash = true;
    }
  }
  const common = (things: readonly Thing[]) =>
    things.flatMap(({ id }) => (before.has(id) && here.has(id) && there.has(id) ? [id] : []));
  const [order, ownOrder, otherOrder] = [common(was), common(mine), common(now)];
  const isMoved = !isEqual(ownOrder, order);
  if (isMoved && !isEqual(otherOrder, order) && !isEqual(otherOrder, ownOrder)) clash = true;
  const ids = isMoved ? between(mine, now, kept) : between(now, mine, kept);
  return { value: ids.map((id) => kept.get(id)), clash };
}

/** The things that are kept, in the order of the first list; those that only the second has stand before what follows them there. */
function between(
  first: readonly Thing[],
  second: readonly Thing[],
  kept: ReadonlyMap<string, unknown>,
): readonly string[] {
  const ids = first.flatMap(({ id }) => (kept.has(id) ? [id] : []));
  let next = ids.length;
  for (const { id } of [...second].reverse()) {
    const at = ids.indexOf(id);
    if (at === -1 && kept.has(id)) ids.splice(next, 0, id);
    else if (at !== -1) next = at;
  }
  return ids;
}
