import * as z from "zod";
import { isUuid } from "../shared/ids";
import {
  cellMiddle,
  isHost,
  nodeOf,
  STAY_SECONDS_MAX,
  VISIT_LIST_MAX,
  VISIT_PARTS_MAX,
  type VisitReport,
} from "./visit";

/** Letters of a place: the longest node's name, and its sign. */
const PLACE_MAX = 101;

const id = z.string().refine(isUuid);
const thing = z.discriminatedUnion("act", [
  z.strictObject({ act: z.literal("tag"), id }),
  z.strictObject({ act: z.literal("media"), id }),
  z.strictObject({ act: z.literal("checkout"), id: z.literal("") }),
]);
const stay = z.strictObject({
  place: z
    .string()
    .max(PLACE_MAX)
    .refine((place) => place === "" || nodeOf(place) !== null || cellMiddle(place) !== null),
  seconds: z.int().min(1).max(STAY_SECONDS_MAX),
});

/**
 * What a page may tell of a visit. What is looked at of a shop, or put into a cart, it does not tell: the server shows it or does it, and counts it.
 * There is no time in it: the server's own clock says when a visit is.
 */
const VisitReportSchema = z.strictObject({
  visit: z.string().regex(/^[0-9a-f]{32}$/),
  part: z
    .int()
    .min(0)
    .max(VISIT_PARTS_MAX - 1),
  from: z.string().refine((host) => host === "" || isHost(host)),
  things: z.array(thing).max(VISIT_LIST_MAX),
  stays: z.array(stay).max(VISIT_LIST_MAX),
});

/** What a page told, if that can be read as a part of a visit; null for anything else. */
export function readVisitReport(text: string): VisitReport | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return VisitReportSchema.safeParse(value).data ?? null;
}

/** What such an address may say, each once: `token` is the door's. */
const TOLD = new Set(["token", "tag", "media", "checkout", "from"]);

/**
 * The part of a visit that the address of a picture or a ping (HTML §4.6.7) stands for, in pages without scripts: that somebody is there, and which
 * thing the page shows (`tag`, `media`) or leads to (`checkout`), and the site that led to it (`from`). Null for what is none.
 * @param fresh a new name of a visit: such a page has none
 */
export function readTold(search: URLSearchParams, fresh: string): VisitReport | null {
  const said = [...search.keys()];
  if (said.some((name) => !TOLD.has(name)) || new Set(said).size < said.length) return null;
  const things = (["tag", "media", "checkout"] as const).flatMap((act) => {
    const shown = search.get(act);
    return shown === null ? [] : [{ act, id: shown }];
  });
  const from = search.get("from") ?? "";
  return VisitReportSchema.safeParse({ visit: fresh, part: 0, from, things, stays: [] }).data ?? null;
}
