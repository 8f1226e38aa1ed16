/** Adds lamps with a cone of light. */
import type { Vec3 } from "~/domain/shared/model";
import { add, scale } from "~/viewer/core/vec";
import { type RoomId, rooms } from "../../../seed/gallery-plan";
import type { Building } from "./building";
import { MeshBuilder } from "./geometry";

/**
 * Adds a lamp with its body, its rod and its cone of light.
 * @param from position of the lamp
 * @param aim point at which it is directed
 * @param power light at one metre on the axis
 * @param inner cosine of the angle up to which the light is full
 * @param outer cosine of the angle at which the light ends
 */
export function addSpot(
  b: Building,
  room: RoomId,
  from: Vec3,
  aim: Vec3,
  power: number,
  inner: number,
  outer: number,
): void {
  const length = Math.hypot(aim[0] - from[0], aim[1] - from[1], aim[2] - from[2]);
  const direction: Vec3 = [
    (aim[0] - from[0]) / length,
    (aim[1] - from[1]) / length,
    (aim[2] - from[2]) / length,
  ];
  const body = new MeshBuilder();
  const tail = add(from, scale(direction, -0.15));
  addClosedRod(body, tail, from, 0.038);
  // A rod reaches from the lamp up to the height of the tracks.
  const top = rooms[room].height - 0.03;
  body.box([tail[0] - 0.008, tail[1], tail[2] - 0.008], [tail[0] + 0.008, top, tail[2] + 0.008]);
  b.meshes.push(body.build("ceiling-lamp", room === "indigo" ? "black" : "track"));
  const glow = new MeshBuilder();
  addDisc(glow, add(from, scale(direction, 0.002)), direction, 0.031);
  b.meshes.push(glow.build("ceiling-lamp-glow", "lamp"));
  b.spots.push({
    position: add(from, scale(direction, 0.02)),
    direction,
    power,
    inner,
    outer,
  });
}

/** Adds a cylinder that is closed at `from`. Its other end is open. */
export function addClosedRod(b: MeshBuilder, from: Vec3, to: Vec3, radius: number): void {
  const d: Vec3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const l = Math.hypot(...d);
  const axis: Vec3 = [d[0] / l, d[1] / l, d[2] / l];
  const { a, c } = perpendicularAxes(axis);
  const sides = 14;
  const ring = (p: Vec3): { p: Vec3; n: Vec3 }[] =>
    Array.from({ length: sides }, (_, s) => {
      const t = (s / sides) * 2 * Math.PI;
      const n = add(scale(a, Math.cos(t)), scale(c, Math.sin(t)));
      return { p: add(p, scale(n, radius)), n };
    });
  b.grid([ring(from), ring(to)], true);
  addDisc(b, from, scale(axis, -1), radius);
}

/** Returns two unit vectors that are perpendicular to `axis` and to each other: a × c = axis. */
function perpendicularAxes(axis: Vec3): { a: Vec3; c: Vec3 } {
  const helper: Vec3 = Math.abs(axis[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0];
  const k = helper[0] * axis[0] + helper[1] * axis[1] + helper[2] * axis[2];
  const raw: Vec3 = [helper[0] - axis[0] * k, helper[1] - axis[1] * k, helper[2] - axis[2] * k];
  const l = Math.hypot(...raw);
  const a: Vec3 = [raw[0] / l, raw[1] / l, raw[2] / l];
  const c: Vec3 = [
    axis[1] * a[2] - axis[2] * a[1],
    axis[2] * a[0] - axis[0] * a[2],
    axis[0] * a[1] - axis[1] * a[0],
  ];
  return { a, c };
}

/** Adds a disc that is visible from the side of its normal. */
export function addDisc(b: MeshBuilder, centre: Vec3, normal: Vec3, radius: number): void {
  const { a, c } = perpendicularAxes(normal);
  const sides = 14;
  b.polygon(
    ...Array.from({ length: sides }, (_, s): Vec3 => {
      const t = (s / sides) * 2 * Math.PI;
      return add(centre, add(scale(a, Math.cos(t) * radius), scale(c, Math.sin(t) * radius)));
    }),
  );
}
