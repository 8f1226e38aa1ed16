/** Adds the bench, the desk, the name on the wall, the plinths and a paper lamp. */
import type { Vec3 } from "~/domain/shared/model";
import { bench, desk, objects, rooms, wallPlane } from "../../../seed/gallery-plan";
import { type Building, woodStyle } from "./building";
import { boxFaces, createFace, MeshBuilder } from "./geometry";
import { addSpot } from "./lamps";
import { signStrokes } from "./sign";

/** Adds all furniture. */
export function addFurniture(b: Building): void {
  addBench(b);
  addDesk(b);
  addLeaflets(b);
  addSign(b);
  addPlinths(b);
  addPaperLamp(b);
}

/** Adds the bench, a board on two slabs. */
function addBench(b: Building): void {
  const { x, z, length, depth, height } = bench;
  const l = length / 2;
  const d = depth / 2;
  const board = 0.06;
  b.faces.push(
    ...boxFaces("bench", [x - l, height - board, z - d], [x + l, height, z + d], "oak", woodStyle(4), []),
  );
  for (const sign of [-1, 1]) {
    const c = x + sign * (l - 0.32);
    b.faces.push(
      ...boxFaces(
        "bench",
        [c - 0.03, 0, z - d + 0.05],
        [c + 0.03, height - board, z + d - 0.05],
        "oak",
        woodStyle(5, true),
        ["-y", "+y"],
      ),
    );
  }
}

/** Adds the desk, a white block with a protruding oak top, and a dark gap under the top. */
function addDesk(b: Building): void {
  const { x0, x1, z0, z1, height: top } = desk;
  const overhang = 0.02;
  b.faces.push(
    ...boxFaces("desk", [x0, top - 0.035, z0], [x1, top, z1], "oak", woodStyle(6, true), []),
    ...boxFaces(
      "desk",
      [x0 + overhang, 0.06, z0 + overhang],
      [x1 - overhang, top - 0.035, z1 - overhang],
      "white",
      { grain: 0.05, pixels: 40 },
      ["+y"],
    ),
    ...boxFaces(
      "desk",
      [x0 + 0.06, 0, z0 + 0.06],
      [x1 - 0.06, 0.06, z1 - 0.06],
      "black",
      { grain: 0.06, pixels: 20 },
      ["-y", "+y"],
    ),
  );
}

/** Adds a stack of leaflets on the desk. */
function addLeaflets(b: Building): void {
  const { x0, x1, z0, height: top } = desk;
  const [sx, sz] = [(x0 + x1) / 2, z0 + 0.35];
  b.faces.push(
    ...boxFaces(
      "desk-leaflets",
      [sx - 0.075, top, sz - 0.105],
      [sx + 0.075, top + 0.018, sz + 0.105],
      "white",
      { grain: 0.05, pixels: 60 },
      ["-y", "+y"],
    ),
    createFace(
      "desk-leaflets",
      "+y",
      [sx - 0.075, top + 0.018, sz - 0.105],
      [sx + 0.075, top + 0.018, sz + 0.105],
      "image",
      {
        grain: 0.05,
        pixels: 500,
        image: { id: "leaflet-cover" },
      },
    ),
  );
}

/** Adds the name on the wall behind the desk, in strokes eight millimetres deep. */
function addSign(b: Building): void {
  const { z0, z1 } = desk;
  const strokes = new MeshBuilder();
  const plane = wallPlane("entrance", "east");
  for (const [a, c] of signStrokes([(z0 + z1) / 2, 1.95], 0.3)) {
    const front = plane - 0.008;
    const dz = c[0] - a[0];
    const dy = c[1] - a[1];
    const halfWidth = 0.011;
    const k = Math.hypot(dz, dy) || 1;
    const [oz, oy] = [(-dy / k) * halfWidth, (dz / k) * halfWidth];
    // On an east wall z grows to the right, and the front face is visible from the west.
    strokes.polygon(
      [front, a[1] - oy, a[0] - oz],
      [front, c[1] - oy, c[0] - oz],
      [front, c[1] + oy, c[0] + oz],
      [front, a[1] + oy, a[0] + oz],
    );
    strokes.polygon(
      [plane, a[1] - oy, a[0] - oz],
      [plane, c[1] - oy, c[0] - oz],
      [front, c[1] - oy, c[0] - oz],
      [front, a[1] - oy, a[0] - oz],
    );
    strokes.polygon(
      [front, a[1] + oy, a[0] + oz],
      [front, c[1] + oy, c[0] + oz],
      [plane, c[1] + oy, c[0] + oz],
      [plane, a[1] + oy, a[0] + oz],
    );
  }
  b.meshes.push(strokes.build("sign", "ink"));
}

/** Adds a plinth for each object, except for the bowl, which gets a low table. */
function addPlinths(b: Building): void {
  for (const o of objects) {
    const node = `plinth-${o.number}`;
    const low: Vec3 = [o.x - o.baseHalf, 0, o.z - o.baseHalf];
    const high: Vec3 = [o.x + o.baseHalf, o.baseHeight, o.z + o.baseHalf];
    // The hall has a roof light and the cabinet has paper screens. Objects in the other rooms get their own lamp.
    if (o.room === "indigo" || o.room === "entrance") {
      const y = rooms[o.room].height - 0.2;
      addSpot(
        b,
        o.room,
        [o.x + 0.55, y, o.z + 0.95],
        [o.x, o.baseHeight + 0.18, o.z],
        o.room === "indigo" ? 3.6 : 1.5,
        0.985,
        0.93,
      );
    }
    if (o.id !== "bowl") {
      b.faces.push(...boxFaces(node, low, high, "white", { grain: 0.04, pixels: 60 }));
      continue;
    }
    const thickness = 0.035;
    b.faces.push(
      ...boxFaces(
        node,
        [low[0], high[1] - thickness, low[2]],
        high,
        "lacquer",
        { grain: 0.04, pixels: 40 },
        [],
      ),
    );
    for (const sx of [-1, 1]) {
      for (const sz of [-1, 1]) {
        const cx = o.x + sx * (o.baseHalf - 0.05);
        const cz = o.z + sz * (o.baseHalf - 0.05);
        b.faces.push(
          ...boxFaces(
            node,
            [cx - 0.02, 0, cz - 0.02],
            [cx + 0.02, high[1] - thickness, cz + 0.02],
            "lacquer",
            { grain: 0.05, pixels: 30 },
            ["-y", "+y"],
          ),
        );
      }
    }
  }
}

/** Adds a paper lamp in a corner of the cabinet. */
function addPaperLamp(b: Building): void {
  const [lx, lz, half] = [6.95, -5.65, 0.13];
  b.faces.push(
    ...boxFaces(
      "lamp-andon",
      [lx - half, 0.1, lz - half],
      [lx + half, 0.62, lz + half],
      "andon",
      { grain: 1, pixels: 8 },
      ["-y"],
    ),
  );
  const cage = new MeshBuilder();
  const post = 0.011;
  for (const sx of [-1, 1]) {
    for (const sz of [-1, 1]) {
      const [cx, cz] = [lx + sx * (half + 0.002), lz + sz * (half + 0.002)];
      cage.box([cx - post, 0, cz - post], [cx + post, 0.66, cz + post]);
    }
  }
  for (const y of [0.09, 0.36, 0.62]) {
    for (const s of [-1, 1]) {
      const e = half + 0.002;
      cage.box([lx - e, y - 0.008, lz + s * e - 0.008], [lx + e, y + 0.008, lz + s * e + 0.008]);
      cage.box([lx + s * e - 0.008, y - 0.008, lz - e], [lx + s * e + 0.008, y + 0.008, lz + e]);
    }
  }
  b.meshes.push(cage.build("lamp-andon", "darkWood", true));
}
