import {
  field,
  isMissing,
  localizedField,
  optionalViewpointField,
  readNumber,
} from "../shared/fields.schema";
import { isUuid } from "../shared/ids";
import { isRecord } from "../shared/is-record";
import {
  COORDINATE_MAX,
  PLAN_WIDTH_MAX,
  TOUR_SECONDS,
  TOUR_STOPS_MAX,
  TOUR_TEXT_MAX,
  TOUR_TITLE_MAX,
} from "../shared/limits";
import type { FloorPlan, TourStop, Uuid } from "../shared/model";
import { normalizeAngle } from "../spaces/normalize-angle";

const titleField = localizedField({ max: TOUR_TITLE_MAX, tooLong: "content:errors.tour.titleTooLong" });
const textField = localizedField({
  max: TOUR_TEXT_MAX,
  tooLong: "content:errors.tour.textTooLong",
  multiline: true,
});

type StopError = { readonly error: string; readonly path: string[] };

/** Reads one stop of a tour, or returns the error and its path. */
function readStop(value: unknown, fieldPath: string): { readonly stop: TourStop } | StopError {
  const stopError = (field: string, error = "shared-owners:errors.field.invalid"): StopError => ({
    error,
    path: [fieldPath, field],
  });
  if (!isRecord(value)) return { error: "shared-owners:errors.field.invalid", path: [fieldPath] };
  if (!isUuid(value.id)) return stopError("id");
  const tagId = isMissing(value.tagId) ? null : value.tagId;
  if (tagId !== null && !isUuid(tagId)) return stopError("tagId");
  const viewpoint = optionalViewpointField.safeParse(value.viewpoint);
  if (!viewpoint.success) return stopError("viewpoint", "shared-owners:errors.field.position");
  if (tagId === null && viewpoint.data === null) return stopError("viewpoint", "content:errors.tour.nowhere");
  const textError = (
    field: string,
    { path = [], message }: { path?: PropertyKey[]; message?: string } = {},
  ) => stopError([field, ...path].join("."), message);
  const title = titleField.safeParse(value.title);
  if (!title.success) return textError("title", title.error.issues[0]);
  const text = textField.safeParse(value.text);
  if (!text.success) return textError("text", text.error.issues[0]);
  const seconds = isMissing(value.seconds) ? TOUR_SECONDS.usual : readNumber(value.seconds);
  if (seconds === null || seconds < TOUR_SECONDS.min || seconds > TOUR_SECONDS.max)
    return stopError("seconds", "content:errors.tour.seconds");
  return {
    stop: { id: value.id, tagId, viewpoint: viewpoint.data, title: title.data, text: text.data, seconds },
  };
}

/** The stops of a tour in order, with unique ids. */
export const tourField = field<readonly TourStop[]>((value) => {
  if (isMissing(value)) return { value: [] };
  if (!Array.isArray(value)) return { error: "shared-owners:errors.field.invalid" };
  if (value.length > TOUR_STOPS_MAX) return { error: "content:errors.tour.tooMany" };
  const stops = new Map<Uuid, TourStop>();
  for (const [index, sentStop] of value.entries()) {
    const stopResult = readStop(sentStop, String(index));
    if ("error" in stopResult) return stopResult;
    if (stops.has(stopResult.stop.id))
      return { error: "shared-owners:errors.field.invalid", path: [String(index), "id"] };
    stops.set(stopResult.stop.id, stopResult.stop);
  }
  return { value: [...stops.values()] };
});

/** A floor plan {mediaId, center: [x, z], width, rotation}; null for none. */
export const planField = field<FloorPlan | null>((value) => {
  if (isMissing(value)) return { value: null };
  if (!isRecord(value)) return { error: "shared-owners:errors.field.invalid" };
  if (!isUuid(value.mediaId)) return { error: "content:errors.plan.mediaItem", path: ["mediaId"] };
  const coordinates: readonly unknown[] = Array.isArray(value.center) ? value.center : [];
  const [x, z] = coordinates.map((coordinate) => readNumber(coordinate));
  const isCoordinate = (coordinate: number | null | undefined): coordinate is number =>
    typeof coordinate === "number" && Math.abs(coordinate) <= COORDINATE_MAX;
  if (coordinates.length !== 2 || !isCoordinate(x) || !isCoordinate(z))
    return { error: "shared-owners:errors.field.position", path: ["center"] };
  const width = readNumber(value.width);
  if (width === null || !(width > 0) || width > PLAN_WIDTH_MAX)
    return { error: "content:errors.plan.width", path: ["width"] };
  const rotation = isMissing(value.rotation) ? 0 : readNumber(value.rotation);
  if (rotation === null) return { error: "shared-owners:errors.field.position", path: ["rotation"] };
  return {
    value: {
      mediaId: value.mediaId,
      center: [x, z],
      width,
      rotation: normalizeAngle(rotation),
    },
  };
});
