/** Adds the works on the walls with their frames, labels and lamps. */
import type { Vec3 } from "~/domain/shared/model";
import { add, scale } from "~/viewer/core/vec";
import { pointOnWork, rooms, wallNormal, type works } from "../../../seed/gallery-plan";
import { type Building, minMaxCorners, wallDirection } from "./building";
import { createFace, MeshBuilder } from "./geometry";
import { addClosedRod, addDisc, addSpot } from "./lamps";
import type { MaterialId } from "./materials";

/** Adds a work with its frame, label and lamps; the scroll in the alcove has a mounting instead, and no label. */
export function addWork(b: Building, work: (typeof works)[number]): void {
  const node = `work-${work.number}`;
  const n = wallNormal(work.side);
  const [low, high] = minMaxCorners(pointOnWork(work, 0, 0), pointOnWork(work, 1, 1));
  b.faces.push(
    createFace(node, wallDirection[work.side], low, high, "image", {
      grain: 0.05,
      pixels: 0,
      image: { id: `work-${work.id}` },
    }),
  );
  if (work.id === "enso") {
    addScroll(b, node, work);
    return;
  }
  addFrame(b, node, work);
  addLabel(b, work);
  // One to three lamps, by the work's width, hang about one and a half metres from the wall.
  const room = rooms[work.room];
  const count = work.width > 2.6 ? 3 : work.width > 1.7 ? 2 : 1;
  const off = work.room === "hall" ? 1.6 : 1.4;
  const y = room.height - 0.2;
  const widthPerLamp = work.width / count;
  const power = (work.room === "indigo" ? 3.1 : 2.7) + widthPerLamp * 0.4;
  for (let i = 0; i < count; i++) {
    const u = (i + 0.5) / count;
    const aim = pointOnWork(work, u, 0.52);
    const from: Vec3 = [aim[0] + n[0] * off, y, aim[2] + n[2] * off];
    const edge = Math.min(0.7, 0.36 + widthPerLamp * 0.16);
    addSpot(b, work.room, from, aim, power, Math.cos(edge * 0.2), Math.cos(edge));
  }
  // The lamps hang from a track.
  const centre = pointOnWork(work);
  const along: Vec3 = work.side === "north" || work.side === "south" ? [1, 0, 0] : [0, 0, 1];
  const half = Math.max(0.5, work.width / 2);
  const a = add(add(centre, scale(n, off)), scale(along, -half));
  const c = add(add(centre, scale(n, off)), scale(along, half));
  const track = new MeshBuilder();
  const across: Vec3 = [along[2] * 0.016, 0, along[0] * 0.016];
  const [trackLow, trackHigh] = minMaxCorners(
    add([a[0], room.height - 0.03, a[2]], scale(across, -1)),
    add([c[0], room.height - 0.002, c[2]], across),
  );
  track.box(trackLow, trackHigh);
  b.meshes.push(track.build(`ceiling-track-${work.number}`, work.room === "indigo" ? "black" : "track"));
}

const frameMaterial = (work: (typeof works)[number]): MaterialId => {
  if (work.room === "indigo") return "black";
  if (work.id === "fold" || work.id === "moons" || work.id === "garden") return "white";
  return work.id === "waves" || work.id === "ai" ? "darkWood" : "oakPlain";
};

/** Adds four mitred bars around the sheet: front, outside and inside. */
function addFrame(b: Building, node: string, work: (typeof works)[number]): void {
  const n = wallNormal(work.side);
  const bar = work.width > 2 ? 0.032 : 0.024;
  const protrusion = 0.016;
  const wall = -work.depth;
  const corner = (u: number, v: number, off: number): Vec3 => add(pointOnWork(work, u, v), scale(n, off));
  const du = bar / work.width;
  const dv = bar / work.height;
  const frame = new MeshBuilder();
  const ring = (eu: number, ev: number, off: number): Vec3[] => [
    corner(-eu, -ev, off),
    corner(1 + eu, -ev, off),
    corner(1 + eu, 1 + ev, off),
    corner(-eu, 1 + ev, off),
  ];
  const inside = ring(0, 0, 0);
  const lip = ring(0, 0, protrusion);
  const front = ring(du, dv, protrusion);
  const back = ring(du, dv, wall);
  const parts = 8;
  const interpolate = (p: Vec3, q: Vec3, t: number): Vec3 =>
    add(p, scale([q[0] - p[0], q[1] - p[1], q[2] - p[2]], t));
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4;
    for (let k = 0; k < parts; k++) {
      const [s, t] = [k / parts, (k + 1) / parts];
      const segmentOf = (r: Vec3[]): [Vec3, Vec3] => [
        interpolate(r[i] as Vec3, r[j] as Vec3, s),
        interpolate(r[i] as Vec3, r[j] as Vec3, t),
      ];
      const [bp, bq] = segmentOf(back);
      const [fp, fq] = segmentOf(front);
      const [lp, lq] = segmentOf(lip);
      const [ip, iq] = segmentOf(inside);
      frame.polygon(bp, bq, fq, fp);
      frame.polygon(fp, fq, lq, lp);
      frame.polygon(lp, lq, iq, ip);
    }
  }
  b.meshes.push(frame.build(node, frameMaterial(work)));
}

/** Adds a small card with the work's number at the right of the work, 1.15 m above the floor. */
function addLabel(b: Building, work: (typeof works)[number]): void {
  const [w, h] = [0.085, 0.06];
  const gap = 0.13;
  const u = 1 + (gap + w / 2) / work.width;
  const centre = pointOnWork(work, u, 0);
  const n = wallNormal(work.side);
  const along: Vec3 = work.side === "north" || work.side === "south" ? [1, 0, 0] : [0, 0, 1];
  const y = 1.15;
  const labelCentre = add([centre[0], y, centre[2]], scale(n, -work.depth + 0.003));
  const [low, high] = minMaxCorners(
    add(labelCentre, [(-along[0] * w) / 2, -h / 2, (-along[2] * w) / 2]),
    add(labelCentre, [(along[0] * w) / 2, h / 2, (along[2] * w) / 2]),
  );
  b.faces.push(
    createFace(`label-${work.number}`, wallDirection[work.side], low, high, "image", {
      grain: 0.05,
      pixels: 700,
      image: { id: `label-${work.number}` },
    }),
  );
}

/** Adds the mounting of the hanging scroll (cloth behind it, a roller below and a bar above), and its lamp. */
function addScroll(b: Building, node: string, work: (typeof works)[number]): void {
  const n = wallNormal(work.side);
  const [w, h] = [work.width, work.height];
  const back = add(pointOnWork(work), scale(n, -work.depth + 0.006));
  const [side, above, below] = [0.05, 0.26, 0.2];
  const y0 = back[1] - h / 2 - below;
  const y1 = back[1] + h / 2 + above;
  b.faces.push(
    createFace(
      node,
      "+z",
      [back[0] - w / 2 - side, y0, back[2]],
      [back[0] + w / 2 + side, y1, back[2]],
      "fabric",
      {
        grain: 0.05,
        pixels: 40,
      },
    ),
  );
  const rods = new MeshBuilder();
  const half = w / 2 + side;
  addClosedRod(
    rods,
    [back[0] + half + 0.035, y0, back[2] + 0.012],
    [back[0] - half - 0.035, y0, back[2] + 0.012],
    0.016,
  );
  addDisc(rods, [back[0] - half - 0.035, y0, back[2] + 0.012], [-1, 0, 0], 0.016);
  rods.box([back[0] - half, y1 - 0.008, back[2]], [back[0] + half, y1 + 0.008, back[2] + 0.014]);
  b.meshes.push(rods.build(node, "darkWood"));
  addSpot(
    b,
    work.room,
    [10.1, rooms.cabinet.height - 0.2, -5.2],
    pointOnWork(work, 0.5, 0.5),
    1.9,
    0.955,
    0.86,
  );
}
