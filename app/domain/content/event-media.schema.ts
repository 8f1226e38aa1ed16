import * as z from "zod";
import {
  field,
  formError,
  isMissing,
  localizedField,
  readFlag,
  readNumber,
  readVec3,
  uuidField,
  versionField,
} from "../shared/fields.schema";
import { isRecord } from "../shared/is-record";
import {
  MEDIA_DESCRIPTION_MAX,
  MEDIA_TITLE_MAX,
  PLACEMENT_REACH,
  PLACEMENT_WIDTH_MAX,
} from "../shared/limits";
import type { Placement, Vec3 } from "../shared/model";
import { normalizeAngle } from "../spaces/normalize-angle";

/** The placement of a media item in the space, or null. The normal need not have length 1; that of the result has. */
export const placementField = field<Placement | null>((value) => {
  if (isMissing(value)) return { value: null };
  const positionError = { error: "shared-owners:errors.field.position" };
  if (!isRecord(value)) return positionError;
  const position = readVec3(value.position);
  const direction = readVec3(value.normal);
  const width = readNumber(value.width);
  if (position === null || direction === null) return positionError;
  const length = Math.hypot(...direction);
  if (length < 1e-6) return positionError;
  if (width === null || !(width > 0) || width > PLACEMENT_WIDTH_MAX)
    return { error: "content:errors.media.width" };
  const normal: Vec3 = [direction[0] / length, direction[1] / length, direction[2] / length];
  const rotation = isMissing(value.rotation) ? 0 : readNumber(value.rotation);
  const play = isMissing(value.play) ? "click" : value.play;
  const reach = isMissing(value.reach) ? PLACEMENT_REACH.usual : readNumber(value.reach);
  if (rotation === null) return positionError;
  if (play !== "click" && play !== "auto") return { error: "shared-owners:errors.field.invalid" };
  if (reach === null || reach < PLACEMENT_REACH.min || reach > PLACEMENT_REACH.max)
    return { error: "content:errors.media.reach" };
  return { value: { position, normal, width, rotation: normalizeAngle(rotation), play, reach } };
});

const shape = {
  title: localizedField({
    max: MEDIA_TITLE_MAX,
    required: "content:errors.media.titleRequired",
    tooLong: "content:errors.media.titleTooLong",
  }),
  description: localizedField({
    max: MEDIA_DESCRIPTION_MAX,
    tooLong: "content:errors.media.descriptionTooLong",
    multiline: true,
  }),
  placement: placementField,
  hidden: field<boolean>(readFlag),
};

/** Returns the schema for adding a library item to an event: {libraryItemId, title, description, placement, hidden}. */
export function createEventMediaCreateSchema() {
  return z.object({ libraryItemId: uuidField, ...shape }, formError);
}

/** Returns the schema for changing a media item of an event: {version, title, description, placement, hidden}. */
export function createEventMediaSchema() {
  return z.object({ version: versionField, ...shape }, formError);
}
