import * as z from "zod";
import { isUuid } from "../shared/ids";
import {
  cellCentre,
  DWELL_SECONDS_MAX,
  isHost,
  readPlaceNode,
  VISIT_LIST_MAX,
  VISIT_PARTS_MAX,
  type VisitReport,
} from "./visit";

/** Maximum length of a place, in characters. Node ids are shorter. */
const PLACE_MAX = 101;

const id = z.string().refine(isUuid);
const visitedItem = z.discriminatedUnion("act", [
  z.strictObject({ act: z.literal("tag"), id }),
  z.strictObject({ act: z.literal("media"), id }),
  z.strictObject({ act: z.literal("checkout"), id: z.literal("") }),
]);
const dwellTime = z.strictObject({
  place: z
    .string()
    .max(PLACE_MAX)
    .refine((place) => place === "" || readPlaceNode(place) !== null || cellCentre(place) !== null),
  seconds: z.int().min(1).max(DWELL_SECONDS_MAX),
});

/**
 * A page's report on a visit. It contains neither viewed products nor additions to the cart, because the server executes and counts these itself. It
 * contains no time, because the server's clock determines it.
 */
const VisitReportSchema = z.strictObject({
  visit: z.string().regex(/^[0-9a-f]{32}$/),
  part: z
    .int()
    .min(0)
    .max(VISIT_PARTS_MAX - 1),
  from: z.string().refine((host) => host === "" || isHost(host)),
  things: z.array(visitedItem).max(VISIT_LIST_MAX),
  stays: z.array(dwellTime).max(VISIT_LIST_MAX),
});

/** Reads a page's report as a part of a visit; returns null for invalid text. */
export function readVisitReport(text: string): VisitReport | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return VisitReportSchema.safeParse(value).data ?? null;
}

/** Query parameters of the tracking URL, each allowed once. linkAccess checks `token`, the secret of the visitor's link. */
const TRACKING_PARAMS = new Set(["token", "tag", "media", "checkout", "from"]);

/**
 * Reads the URL of a tracking image or a ping (HTML §4.6.7), which pages without scripts use, as a part of a visit: the visitor is present, and the
 * page shows an item (`tag`, `media`) or links to a checkout (`checkout`); `from` is the referring site. Returns null for an invalid URL.
 * @param newVisitName a new random name of a visit, because such a page has none
 */
export function parseTrackingQuery(searchParams: URLSearchParams, newVisitName: string): VisitReport | null {
  const queryKeys = [...searchParams.keys()];
  if (queryKeys.some((name) => !TRACKING_PARAMS.has(name)) || new Set(queryKeys).size < queryKeys.length)
    return null;
  const items = (["tag", "media", "checkout"] as const).flatMap((visitAction) => {
    const itemId = searchParams.get(visitAction);
    return itemId === null ? [] : [{ act: visitAction, id: itemId }];
  });
  const from = searchParams.get("from") ?? "";
  return (
    VisitReportSchema.safeParse({ visit: newVisitName, part: 0, from, things: items, stays: [] }).data ?? null
  );
}
