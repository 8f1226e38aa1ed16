/** Describes a view: where it is and what it looks at. */
import { inLanguage } from "~/domain/shared/localized";
import type { EventTag, Lang, Vec3, Viewpoint } from "~/domain/shared/model";
import type { Translate } from "~/i18n/messages";

/** Horizontal distance within which a view is near a tag, in metres. */
const NEAR = 3;
/** A view looks at a tag within this horizontal angle off its centre (radians) and this horizontal distance (metres). */
const TOWARDS = { angle: 0.35, metres: 15 };

/** A named position. */
export interface NamedPlace {
  readonly title: string;
  readonly position: Vec3;
}

/** Titles and positions of the tags that have both. */
export const namedPlaces = (tags: readonly EventTag[], lang: Lang): NamedPlace[] =>
  tags.flatMap(({ title, position }) => {
    const { text } = inLanguage(title, lang);
    return position && text !== "" ? [{ title: text, position }] : [];
  });

const flatOffset = ([x, , z]: Vec3, [fromX, , fromZ]: Vec3) => [x - fromX, z - fromZ] as const;

/** Absolute difference of two angles: 0…π. */
const angleBetween = (a: number, b: number) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

function findNearest<T>(items: readonly T[], distanceTo: (item: T) => number, maxDistance: number): T | null {
  let nearestItem: T | null = null;
  let smallest = maxDistance;
  for (const item of items) {
    const distance = distanceTo(item);
    if (distance <= smallest) [nearestItem, smallest] = [item, distance];
  }
  return nearestItem;
}

/** Titles of the place near a view, and of the place that it looks at; null for none. */
export function findLandmarks({ position, yaw }: Viewpoint, places: readonly NamedPlace[]) {
  const distanceTo = ({ position: placePosition }: NamedPlace) =>
    Math.hypot(...flatOffset(placePosition, position));
  const angleTo = ({ position: placePosition }: NamedPlace) => {
    const [dx, dz] = flatOffset(placePosition, position);
    return angleBetween(Math.atan2(-dx, -dz), yaw);
  };
  const inView = places.filter(
    (place) => distanceTo(place) <= TOWARDS.metres && angleTo(place) <= TOWARDS.angle,
  );
  return {
    near: findNearest(places, distanceTo, NEAR)?.title ?? null,
    // If several places are in the same direction, the nearest one is visible.
    towards: findNearest(inView, distanceTo, TOWARDS.metres)?.title ?? null,
  };
}

const roundToTenths = (value: number) => Math.round(value * 10) / 10 + 0;
const toDegrees = (radians: number) => Math.round((radians * 180) / Math.PI) + 0;

export interface ViewLabels {
  readonly mode: string;
  readonly position: string;
  readonly direction: string;
}

/** Describes a view. @param rooms ids and titles of the panoramas */
export function viewLabels(
  view: Viewpoint,
  {
    places,
    rooms,
  }: { readonly places: readonly NamedPlace[]; readonly rooms: readonly { id: string; title: string }[] },
  t: Translate,
): ViewLabels {
  const { position, yaw, pitch, mode, nodeId } = view;
  const [x, y, z] = position.map(roundToTenths) as [number, number, number];
  const { near, towards } = findLandmarks(view, places);
  const room = rooms.find(({ id }) => id === nodeId)?.title;
  const tilt = toDegrees(pitch);
  const joinParts = (parts: readonly (string | false | null | undefined)[]) =>
    parts.filter(Boolean).join(t("shared-owners:listSeparator"));
  return {
    mode: t(`content:sceneEditor.view.mode.${mode}`),
    position: joinParts([
      room && t("content:sceneEditor.view.inRoom", { title: room }),
      near && t("content:sceneEditor.view.near", { title: near }),
      t("content:sceneEditor.view.place", { x: String(x), y: String(y), z: String(z) }),
    ]),
    direction: joinParts([
      towards && t("content:sceneEditor.view.towards", { title: towards }),
      t("content:sceneEditor.view.direction", { degrees: String(toDegrees(yaw)) }),
      tilt > 0 && t("content:sceneEditor.view.up", { degrees: String(tilt) }),
      tilt < 0 && t("content:sceneEditor.view.down", { degrees: String(-tilt) }),
    ]),
  };
}
