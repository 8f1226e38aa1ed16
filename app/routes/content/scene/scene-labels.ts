/** Formats values of the scene for the comparison of two versions. */

import { isEqual } from "~/domain/shared/is-equal";
import { isRecord } from "~/domain/shared/is-record";
import type { FloorPlan, Lang, TagProduct, TourStop, Viewpoint } from "~/domain/shared/model";
import type { Values } from "~/features/content/editor/content";
import type { Translate } from "~/i18n/messages";
import { stopTitle } from "../tours/stop-title";
import { viewLabels } from "./view-labels";

const isView = (value: unknown): value is Viewpoint => isRecord(value) && "yaw" in value && "mode" in value;
const isPlan = (value: unknown): value is FloorPlan => isRecord(value) && "center" in value;
const isTour = (value: unknown): value is readonly TourStop[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isRecord(item) && "seconds" in item);

const formatRounded = (value: number) => String(Math.round(value * 100) / 100 + 0);

const isProducts = (value: unknown): value is readonly TagProduct[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isRecord(item) && "id" in item && !("seconds" in item));

/** Formats a view, a tour, a floor plan or products; null for any other value. */
export function formatSceneValue(value: unknown, t: Translate, lang: Lang): string | null {
  if (isView(value)) {
    const { mode, position, direction } = viewLabels(value, { places: [], rooms: [] }, t);
    return [mode, position, direction].join("\n");
  }
  if (isPlan(value)) {
    const { center, width, rotation } = value;
    return t("content:sceneEditor.plan.describe", {
      x: formatRounded(center[0]),
      z: formatRounded(center[1]),
      width: formatRounded(width),
      degrees: formatRounded((rotation * 180) / Math.PI),
    });
  }
  if (isProducts(value)) return value.map(({ id, title }) => title || id).join("\n");
  if (!isTour(value)) return null;
  return value.map((stop, index) => `${index + 1}. ${stopTitle(stop, index, [], t, lang)}`).join("\n");
}

/** Field that two editors have set to different values. */
export interface ContentConflictRow {
  readonly field: string;
  /** Number of the tour's stop that the field belongs to. */
  readonly stop?: number;
  readonly saved: unknown;
  readonly localValue: unknown;
}

/** Differing fields of a conflict, each with both values. If both tours have the same stops, the rows are the stops' fields. */
export const contentConflictRows = (localValues: Values, saved: object | null): ContentConflictRow[] =>
  Object.entries(localValues).flatMap(([field, value]): ContentConflictRow[] => {
    const savedValue = (saved as Values | null)?.[field];
    if (isEqual(value, savedValue)) return [];
    const hasSameStops =
      isTour(value) && isTour(savedValue) && isEqual(value.map(getStopId), savedValue.map(getStopId));
    if (!hasSameStops) return [{ field, localValue: value, saved: savedValue }];
    return value.flatMap((stop, index) =>
      contentConflictRows({ ...stop }, savedValue[index] ?? null).map((row) => ({ ...row, stop: index + 1 })),
    );
  });
const getStopId = ({ id }: TourStop) => id;
