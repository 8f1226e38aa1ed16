/** Builds the gallery of plan.ts: every face, mesh and lamp. Pure and repeatable, so that each thread builds its own. */
import type { Vec3 } from "~/domain/shared/model";
import {
  alcove,
  bench,
  type Doorway,
  desk,
  doorways,
  lantern,
  objects,
  pointOnWork,
  type Room,
  type RoomId,
  rooms,
  type Side,
  screens,
  streetDoor,
  wallNormal,
  wallPlane,
  wallThickness,
  works,
} from "../../../seed/gallery-plan";
import {
  add,
  boxFaces,
  type Face,
  type FaceStyle,
  face,
  type Hole,
  type Mesh,
  MeshBuilder,
  scale,
} from "./geometry";
import type { MaterialId } from "./materials";
import { addObjects } from "./objects";
import { signStrokes } from "./sign";

/** A lamp that throws a cone of light. */
export interface Spot {
  readonly position: Vec3;
  readonly direction: Vec3;
  /** Light at one metre on the axis. */
  readonly power: number;
  /** Cosines of the angles where the light is full and where it ends. */
  readonly inner: number;
  readonly outer: number;
}

export interface Scene {
  readonly faces: readonly Face[];
  readonly meshes: readonly Mesh[];
  readonly spots: readonly Spot[];
  /** Indices of the faces that are sampled as lights. */
  readonly lights: readonly number[];
}

/** Metres that the floor images' pixels cover, and those of the wood images. */
export const floorPixels = 200;
export const woodMetres: readonly [number, number] = [2.56, 1.28];
/** How high the cut of the walls lies in the view from above. */
const wallTop = 3.6;
/** How far the panel of a street door or a paper screen lies behind the wall's plane. */
const recess = 0.1;

interface Building {
  readonly faces: Face[];
  readonly meshes: Mesh[];
  readonly spots: Spot[];
}

export function buildScene(): Scene {
  const building: Building = { faces: [], meshes: [], spots: [] };
  for (const room of Object.values(rooms)) addRoom(building, room);
  for (const door of doorways) addDoorway(building, door);
  addLantern(building);
  addStreetDoor(building);
  addScreens(building);
  addAlcove(building);
  addCut(building);
  for (const work of works) addWork(building, work);
  addFurniture(building);
  addObjects(building.faces, building.meshes);
  const lights = building.faces.flatMap((f, i) => (lightMaterials.has(f.material) ? [i] : []));
  return { ...building, lights };
}

const lightMaterials: ReadonlySet<MaterialId> = new Set<MaterialId>([
  "frosted",
  "sky",
  "paper",
  "slot",
  "andon",
]);

// ── Rooms ───────────────────────────────────────────────────────────────────────────────────────────────────────

const wallMaterial: Readonly<Record<RoomId, MaterialId>> = {
  entrance: "plaster",
  hall: "plaster",
  indigo: "indigo",
  cabinet: "earth",
};
const floorMaterial: Readonly<Record<RoomId, MaterialId>> = {
  entrance: "stoneFloor",
  hall: "oakFloor",
  indigo: "stoneFloor",
  cabinet: "tatami",
};
const ceilingMaterial: Readonly<Record<RoomId, MaterialId>> = {
  entrance: "ceiling",
  hall: "ceiling",
  indigo: "indigoCeiling",
  cabinet: "cedar",
};
const sides: readonly Side[] = ["north", "south", "east", "west"];

function addRoom(b: Building, room: Room): void {
  const { id, x0, x1, z0, z1, height } = room;
  b.faces.push(
    face(`floor-${id}`, "+y", [x0, 0, z0], [x1, 0, z1], floorMaterial[id], {
      grain: 0.06,
      pixels: floorPixels,
      image: { id: `floor-${id}` },
    }),
  );
  const ceilingHoles: Hole[] =
    id === "hall"
      ? [{ u0: lantern.x0 - x0, u1: lantern.x1 - x0, v0: lantern.z0 - z0, v1: lantern.z1 - z0 }]
      : [];
  b.faces.push(
    face(`ceiling-${id}`, "-y", [x0, height, z0], [x1, height, z1], ceilingMaterial[id], {
      grain: 0.12,
      pixels: id === "cabinet" ? 90 : 20,
      holes: ceilingHoles,
      ...(id === "cabinet" ? { image: { id: "oak", metres: woodMetres } } : {}),
    }),
  );
  for (const side of sides) addWall(b, room, side);
}

/** A point of a wall by its distance along the wall (x or z), its height and how far it stands off into the room. */
function onWall(room: RoomId, side: Side, along: number, y: number, off = 0): Vec3 {
  const plane = wallPlane(room, side);
  const n = wallNormal(side);
  return side === "north" || side === "south"
    ? [along, y, plane + n[2] * off]
    : [plane + n[0] * off, y, along];
}

const facing: Readonly<Record<Side, "+z" | "-z" | "-x" | "+x">> = {
  north: "+z",
  south: "-z",
  east: "-x",
  west: "+x",
};

function lowHigh(a: Vec3, c: Vec3): [Vec3, Vec3] {
  return [
    [Math.min(a[0], c[0]), Math.min(a[1], c[1]), Math.min(a[2], c[2])],
    [Math.max(a[0], c[0]), Math.max(a[1], c[1]), Math.max(a[2], c[2])],
  ];
}

/** A rectangle on (or parallel to) a wall. */
function wallFace(
  node: string,
  room: RoomId,
  side: Side,
  from: number,
  to: number,
  y0: number,
  y1: number,
  off: number,
  material: MaterialId,
  style: FaceStyle = {},
): Face {
  const [low, high] = lowHigh(onWall(room, side, from, y0, off), onWall(room, side, to, y1, off));
  return face(node, facing[side], low, high, material, style);
}

/** A box on a wall, `off0`…`off1` metres into the room. */
function wallBox(
  room: RoomId,
  side: Side,
  from: number,
  to: number,
  y0: number,
  y1: number,
  off0: number,
  off1: number,
): [Vec3, Vec3] {
  return lowHigh(onWall(room, side, from, y0, off0), onWall(room, side, to, y1, off1));
}

interface Opening {
  readonly from: number;
  readonly to: number;
  readonly y0: number;
  readonly y1: number;
}

function openingsOf(room: RoomId, side: Side): Opening[] {
  const out: Opening[] = doorways
    .filter(({ a, b }) => (a.room === room && a.side === side) || (b.room === room && b.side === side))
    .map((door) => ({ from: door.from, to: door.to, y0: 0, y1: door.height }));
  if (room === "entrance" && side === "south")
    out.push({ from: streetDoor.x0, to: streetDoor.x1, y0: 0, y1: streetDoor.height });
  if (room === "cabinet" && side === "east")
    out.push({ from: screens.z0, to: screens.z1, y0: screens.y0, y1: screens.y1 });
  if (room === "cabinet" && side === "north")
    out.push({ from: alcove.x0, to: alcove.x1, y0: 0, y1: alcove.height });
  return out;
}

function addWall(b: Building, room: Room, side: Side): void {
  const alongX = side === "north" || side === "south";
  const from = alongX ? room.x0 : room.z0;
  const to = alongX ? room.x1 : room.z1;
  const openings = openingsOf(room.id, side);
  const toU = (along: number): number => (side === "north" || side === "east" ? along - from : to - along);
  const holes = openings.map((o) => ({
    u0: Math.min(toU(o.from), toU(o.to)),
    u1: Math.max(toU(o.from), toU(o.to)),
    v0: o.y0,
    v1: o.y1,
  }));
  const node = `wall-${room.id}-${side}`;
  const hasWorks = works.some((work) => work.room === room.id && work.side === side);
  b.faces.push(
    wallFace(node, room.id, side, from, to, 0, room.height, 0, wallMaterial[room.id], {
      holes,
      grain: hasWorks ? 0.042 : 0.065,
      pixels: hasWorks ? 44 : 30,
    }),
  );
  // Above a lowered ceiling the wall goes on to the cut; it is only ever seen from above.
  if (room.height < wallTop)
    b.faces.push(wallFace(node, room.id, side, from, to, room.height, wallTop, 0, "cut", flatStyle));
  if (room.id === "cabinet") return;
  // Skirting, interrupted by what opens at the floor.
  const gaps = openings.filter((o) => o.y0 === 0).sort((p, q) => p.from - q.from);
  let start = from;
  for (const end of [...gaps.map((o) => o.from), to]) {
    if (end - start > 0.05) addSkirting(b, room.id, side, start, end);
    start = gaps.find((o) => o.from === end)?.to ?? end;
  }
}

const flatStyle: FaceStyle = { grain: 10, pixels: 1 };

function addSkirting(b: Building, room: RoomId, side: Side, from: number, to: number): void {
  const material: MaterialId = room === "indigo" ? "indigo" : "skirting";
  const [low, high] = wallBox(room, side, from, to, 0, 0.07, 0, 0.012);
  const back = facing[opposite[side]];
  b.faces.push(
    ...boxFaces(`skirting-${room}`, low, high, material, { grain: 0.07, pixels: 24 }, ["-y", back]),
  );
}

const opposite: Readonly<Record<Side, Side>> = { north: "south", south: "north", east: "west", west: "east" };

function addDoorway(b: Building, door: Doorway): void {
  const node = `wall-${door.id}`;
  const alongX = door.a.side === "north" || door.a.side === "south";
  const p = wallPlane(door.a.room, door.a.side);
  const q = wallPlane(door.b.room, door.b.side);
  const [near, far] = [Math.min(p, q), Math.max(p, q)];
  const style: FaceStyle = { grain: 0.05, pixels: 40 };
  const floorStyle: FaceStyle = {
    grain: 0.05,
    pixels: floorPixels,
    image: { id: "oak", metres: woodMetres, turned: !alongX },
  };
  const { from, to, height } = door;
  if (alongX) {
    b.faces.push(
      face(node, "+x", [from, 0, near], [from, height, far], "plaster", style),
      face(node, "-x", [to, 0, near], [to, height, far], "plaster", style),
      face(node, "-y", [from, height, near], [to, height, far], "plaster", style),
      face(`floor-${door.id}`, "+y", [from, 0, near], [to, 0, far], "oak", floorStyle),
    );
  } else {
    b.faces.push(
      face(node, "+z", [near, 0, from], [far, height, from], "plaster", style),
      face(node, "-z", [near, 0, to], [far, height, to], "plaster", style),
      face(node, "-y", [near, height, from], [far, height, to], "plaster", style),
      face(`floor-${door.id}`, "+y", [near, 0, from], [far, 0, to], "oak", floorStyle),
    );
  }
}

/** The roof light: a shaft through the hall's ceiling, a luminous top and a grid of bars below it. */
function addLantern(b: Building): void {
  const { x0, x1, z0, z1, top } = lantern;
  const y = rooms.hall.height;
  const style: FaceStyle = { grain: 0.06, pixels: 40 };
  b.faces.push(
    face("ceiling-lantern", "+x", [x0, y, z0], [x0, top, z1], "ceiling", style),
    face("ceiling-lantern", "-x", [x1, y, z0], [x1, top, z1], "ceiling", style),
    face("ceiling-lantern", "+z", [x0, y, z0], [x1, top, z0], "ceiling", style),
    face("ceiling-lantern", "-z", [x0, y, z1], [x1, top, z1], "ceiling", style),
    face("ceiling-lantern-glass", "-y", [x0, top, z0], [x1, top, z1], "sky", { grain: 1, pixels: 8 }),
  );
  const bars = new MeshBuilder();
  const [low, high, half] = [top - 0.2, top - 0.02, 0.025];
  for (let x = x0 + 1.2; x < x1 - 0.1; x += 1.2) bars.box([x - half, low, z0], [x + half, high, z1]);
  for (let z = z0 + 1.2; z < z1 - 0.1; z += 1.2) bars.box([x0, low, z - half], [x1, high, z + half]);
  b.meshes.push(bars.build("ceiling-lantern-bars", "white", true));

  // Two slots of light in the entrance and one in the indigo room.
  const slots: readonly [RoomId, number, number, number, number][] = [
    ["entrance", -2.2, -1.95, 4.8, 9.2],
    ["entrance", 1.95, 2.2, 4.8, 9.2],
    ["indigo", 6.9, 10.7, 3.3, 3.42],
  ];
  for (const [room, a, c, d, e] of slots) {
    const h = rooms[room].height - 0.004;
    b.faces.push(face(`ceiling-${room}-slot`, "-y", [a, h, d], [c, h, e], "slot", { grain: 1, pixels: 8 }));
  }
}

function addStreetDoor(b: Building): void {
  const { x0, x1, height } = streetDoor;
  const z = rooms.entrance.z1;
  const node = "wall-street-door";
  b.faces.push(
    face(node, "+x", [x0, 0, z], [x0, height, z + recess], "oak", woodStyle(0)),
    face(node, "-x", [x1, 0, z], [x1, height, z + recess], "oak", woodStyle(1)),
    face(node, "-y", [x0, height, z], [x1, height, z + recess], "oak", woodStyle(2)),
    face("floor-street-door", "+y", [x0, 0, z], [x1, 0, z + recess], "oak", woodStyle(3)),
    face(`${node}-glass`, "-z", [x0, 0, z + recess], [x1, height, z + recess], "frosted", {
      grain: 1,
      pixels: 8,
    }),
  );
  const bars = new MeshBuilder();
  const [front, back] = [z + 0.03, z + recess - 0.005];
  const bar = (a: number, c: number, y0: number, y1: number): void => bars.box([a, y0, front], [c, y1, back]);
  for (const x of [x0, -0.75 - 0.03, -0.03, 0.75 - 0.03, x1 - 0.06]) bar(x, x + 0.06, 0, height);
  for (const y of [0, 1.02, height - 0.06]) bar(x0, x1, y, y + 0.06);
  b.meshes.push(bars.build(node, "oakPlain", true));
}

function woodStyle(seed: number, turned = false): FaceStyle {
  return {
    grain: 0.04,
    pixels: 150,
    image: { id: "oak", metres: woodMetres, offset: [(seed * 0.37) % 2, (seed * 0.29) % 1], turned },
  };
}

/** Four paper screens: luminous sheets behind a lattice of one square. */
function addScreens(b: Building): void {
  const { z0, z1, y1 } = screens;
  const x = rooms.cabinet.x1;
  const node = "wall-screens";
  b.faces.push(
    face(node, "-x", [x + recess, 0, z0], [x + recess, y1, z1], "paper", { grain: 1, pixels: 8 }),
    face(node, "+z", [x, 0, z0], [x + recess, y1, z0], "darkWood", { grain: 0.05, pixels: 40 }),
    face(node, "-z", [x, 0, z1], [x + recess, y1, z1], "darkWood", { grain: 0.05, pixels: 40 }),
    face(node, "-y", [x, y1, z0], [x + recess, y1, z1], "darkWood", { grain: 0.05, pixels: 40 }),
    face("floor-screens", "+y", [x, 0, z0], [x + recess, 0, z1], "darkWood", { grain: 0.05, pixels: 40 }),
  );
  const lattice = new MeshBuilder();
  const width = (z1 - z0) / 4;
  for (let panel = 0; panel < 4; panel++) {
    // Neighbouring screens run in two grooves, one behind the other.
    const front = x + (panel % 2 === 0 ? 0.015 : 0.045);
    const back = front + 0.028;
    const a = z0 + panel * width;
    const c = a + width;
    const stile = 0.034;
    const box = (p: number, q: number, y0: number, y: number, f = front): void =>
      lattice.box([f, y0, p], [back, y, q]);
    box(a, a + stile, 0, y1);
    box(c - stile, c, 0, y1);
    box(a, c, y1 - 0.05, y1);
    box(a, c, 0, 0.36);
    const [left, right, low, high] = [a + stile, c - stile, 0.36, y1 - 0.05];
    const columns = 4;
    const rows = 7;
    for (let i = 1; i < columns; i++) {
      const z = left + ((right - left) * i) / columns;
      box(z - 0.006, z + 0.006, low, high, front + 0.008);
    }
    for (let i = 1; i < rows; i++) {
      const y = low + ((high - low) * i) / rows;
      box(left, right, y - 0.006, y + 0.006, front + 0.008);
    }
  }
  b.meshes.push(lattice.build(node, "oakPlain", true));
}

function addAlcove(b: Building): void {
  const { x0, x1, z0, z1, height, step } = alcove;
  const node = "wall-alcove";
  const style: FaceStyle = { grain: 0.04, pixels: 50 };
  b.faces.push(
    face(node, "+z", [x0, step, z0], [x1, height, z0], "earth", style),
    face(node, "+x", [x0, step, z0], [x0, height, z1], "earth", style),
    face(node, "-x", [x1, step, z0], [x1, height, z1], "earth", style),
    face(node, "-y", [x0, height, z0], [x1, height, z1], "cedar", style),
    face("plinth-alcove", "+y", [x0, step, z0], [x1, step, z1], "lacquer", style),
    face("plinth-alcove", "+z", [x0, 0, z1], [x1, step, z1], "lacquer", style),
  );
  // The post beside the alcove and the beam that runs along the room at the height of the doors.
  const wood = new MeshBuilder();
  wood.box([x0 - 0.11, 0, z1], [x0, rooms.cabinet.height, z1 + 0.09]);
  b.meshes.push(wood.build("wall-alcove-post", "darkWood"));
  const beam = new MeshBuilder();
  const r = rooms.cabinet;
  const [low, high, deep] = [2.2, 2.29, 0.03];
  beam.box([r.x0, low, r.z0], [x0 - 0.11, high, r.z0 + deep]);
  beam.box([x0, height, r.z0], [r.x1, height + 0.09, r.z0 + deep]);
  beam.box([r.x0, low, r.z1 - deep], [r.x1, high, r.z1]);
  beam.box([r.x0, low, r.z0 + deep], [r.x0 + deep, high, r.z1 - deep]);
  beam.box([r.x1 - deep, low, r.z0 + deep], [r.x1, high, r.z1 - deep]);
  b.meshes.push(beam.build("wall-cabinet-beam", "darkWood", true));
}

/** The cut walls as a plan shows them, and the ground the model stands on. */
function addCut(b: Building): void {
  const voids = [...Object.values(rooms), { x0: alcove.x0, x1: alcove.x1, z0: alcove.z0, z1: alcove.z1 }];
  const grown = voids.map((v) => ({
    x0: v.x0 - wallThickness,
    x1: v.x1 + wallThickness,
    z0: v.z0 - wallThickness,
    z1: v.z1 + wallThickness,
  }));
  const lines = (key: "x" | "z"): number[] => {
    const of = [...voids, ...grown].flatMap((v) => (key === "x" ? [v.x0, v.x1] : [v.z0, v.z1]));
    const doors = doorways.flatMap((d) => {
      const alongX = d.a.side === "north" || d.a.side === "south";
      return alongX === (key === "x") ? [d.from, d.to] : [];
    });
    return [...new Set([...of, ...doors].map((n) => Math.round(n * 1000) / 1000))].sort((p, q) => p - q);
  };
  const within = (
    list: readonly { x0: number; x1: number; z0: number; z1: number }[],
    x: number,
    z: number,
  ): boolean => list.some((v) => x > v.x0 && x < v.x1 && z > v.z0 && z < v.z1);
  const isDoor = (x: number, z: number): boolean =>
    doorways.some((d) => {
      const alongX = d.a.side === "north" || d.a.side === "south";
      const [p, q] = [wallPlane(d.a.room, d.a.side), wallPlane(d.b.room, d.b.side)];
      const [along, across] = alongX ? [x, z] : [z, x];
      return along > d.from && along < d.to && across > Math.min(p, q) && across < Math.max(p, q);
    });
  const xs = lines("x");
  const zs = lines("z");
  for (let j = 0; j + 1 < zs.length; j++) {
    for (let i = 0; i + 1 < xs.length; i++) {
      const [xa, xb, za, zb] = [xs[i], xs[i + 1], zs[j], zs[j + 1]] as [number, number, number, number];
      const [x, z] = [(xa + xb) / 2, (za + zb) / 2];
      if (!within(grown, x, z) || within(voids, x, z)) continue;
      const material: MaterialId = isDoor(x, z) ? "lintel" : "cut";
      b.faces.push(face("wall-cut", "+y", [xa, wallTop, za], [xb, wallTop, zb], material, flatStyle));
    }
  }
  const edge = 0.8;
  const low: Vec3 = [rooms.hall.x0 - edge, -0.16, alcove.z0 - edge];
  const high: Vec3 = [rooms.cabinet.x1 + edge, -0.02, rooms.entrance.z1 + edge];
  b.faces.push(...boxFaces("base", low, high, "base", flatStyle));
}

// ── Works ───────────────────────────────────────────────────────────────────────────────────────────────────────

function addWork(b: Building, work: (typeof works)[number]): void {
  const node = `work-${work.number}`;
  const n = wallNormal(work.side);
  const [low, high] = lowHigh(pointOnWork(work, 0, 0), pointOnWork(work, 1, 1));
  b.faces.push(
    face(node, facing[work.side], low, high, "image", {
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
  // One lamp for about 1.6 m of width, a little more than a metre off the wall, below the ceiling.
  const room = rooms[work.room];
  const count = work.width > 2.6 ? 3 : work.width > 1.7 ? 2 : 1;
  const off = work.room === "hall" ? 1.6 : 1.4;
  const y = room.height - 0.2;
  const reach = work.width / count;
  const power = (work.room === "indigo" ? 3.1 : 2.7) + reach * 0.4;
  for (let i = 0; i < count; i++) {
    const u = (i + 0.5) / count;
    const aim = add(pointOnWork(work, u, 0.52), [0, 0, 0]);
    const from: Vec3 = [aim[0] + n[0] * off, y, aim[2] + n[2] * off];
    const edge = Math.min(0.7, 0.36 + reach * 0.16);
    addSpot(b, work.room, from, aim, power, Math.cos(edge * 0.2), Math.cos(edge));
  }
  // The track the lamps hang from.
  const centre = pointOnWork(work);
  const along: Vec3 = work.side === "north" || work.side === "south" ? [1, 0, 0] : [0, 0, 1];
  const half = Math.max(0.5, work.width / 2);
  const a = add(add(centre, scale(n, off)), scale(along, -half));
  const c = add(add(centre, scale(n, off)), scale(along, half));
  const track = new MeshBuilder();
  const across: Vec3 = [along[2] * 0.016, 0, along[0] * 0.016];
  const [tl, th] = lowHigh(
    add([a[0], room.height - 0.03, a[2]], scale(across, -1)),
    add([c[0], room.height - 0.002, c[2]], across),
  );
  track.box(tl, th);
  b.meshes.push(track.build(`ceiling-track-${work.number}`, work.room === "indigo" ? "black" : "track"));
}

function addSpot(
  b: Building,
  room: RoomId,
  from: Vec3,
  aim: Vec3,
  power: number,
  inner: number,
  outer: number,
): void {
  const length = Math.hypot(aim[0] - from[0], aim[1] - from[1], aim[2] - from[2]);
  const d: Vec3 = [(aim[0] - from[0]) / length, (aim[1] - from[1]) / length, (aim[2] - from[2]) / length];
  const body = new MeshBuilder();
  const tail = add(from, scale(d, -0.15));
  const head = add(from, scale(d, 0.0));
  rodWithEnds(body, tail, head, 0.038);
  // A stalk up to the track.
  const top = rooms[room].height - 0.03;
  body.box([tail[0] - 0.008, tail[1], tail[2] - 0.008], [tail[0] + 0.008, top, tail[2] + 0.008]);
  b.meshes.push(body.build("ceiling-lamp", room === "indigo" ? "black" : "track"));
  const glow = new MeshBuilder();
  disc(glow, add(from, scale(d, 0.002)), d, 0.031);
  b.meshes.push(glow.build("ceiling-lamp-glow", "lamp"));
  b.spots.push({
    position: add(from, scale(d, 0.02)),
    direction: d,
    power,
    inner,
    outer,
  });
}

function rodWithEnds(b: MeshBuilder, from: Vec3, to: Vec3, radius: number): void {
  const d: Vec3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const l = Math.hypot(...d);
  const axis: Vec3 = [d[0] / l, d[1] / l, d[2] / l];
  const { a, c } = around(axis);
  const sides = 14;
  const ring = (p: Vec3): { p: Vec3; n: Vec3 }[] =>
    Array.from({ length: sides }, (_, s) => {
      const t = (s / sides) * 2 * Math.PI;
      const n = add(scale(a, Math.cos(t)), scale(c, Math.sin(t)));
      return { p: add(p, scale(n, radius)), n };
    });
  b.grid([ring(from), ring(to)], true);
  disc(b, from, scale(axis, -1), radius);
}

function around(axis: Vec3): { a: Vec3; c: Vec3 } {
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

function disc(b: MeshBuilder, centre: Vec3, normal: Vec3, radius: number): void {
  const { a, c } = around(normal);
  const sides = 14;
  b.polygon(
    ...Array.from({ length: sides }, (_, s): Vec3 => {
      const t = (s / sides) * 2 * Math.PI;
      return add(centre, add(scale(a, Math.cos(t) * radius), scale(c, Math.sin(t) * radius)));
    }),
  );
}

const frameMaterial = (work: (typeof works)[number]): MaterialId => {
  if (work.room === "indigo") return "black";
  return work.id === "fold" || work.id === "moons" || work.id === "garden"
    ? "white"
    : work.id === "waves" || work.id === "ai"
      ? "darkWood"
      : "oakPlain";
};

/** Four mitred bars around the sheet: front, outside and inside. */
function addFrame(b: Building, node: string, work: (typeof works)[number]): void {
  const n = wallNormal(work.side);
  const bar = work.width > 2 ? 0.032 : 0.024;
  const out = 0.016;
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
  const lip = ring(0, 0, out);
  const front = ring(du, dv, out);
  const back = ring(du, dv, wall);
  const parts = 8;
  const between = (p: Vec3, q: Vec3, t: number): Vec3 =>
    add(p, scale([q[0] - p[0], q[1] - p[1], q[2] - p[2]], t));
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4;
    for (let k = 0; k < parts; k++) {
      const [s, t] = [k / parts, (k + 1) / parts];
      const at = (r: Vec3[]): [Vec3, Vec3] => [
        between(r[i] as Vec3, r[j] as Vec3, s),
        between(r[i] as Vec3, r[j] as Vec3, t),
      ];
      const [bp, bq] = at(back);
      const [fp, fq] = at(front);
      const [lp, lq] = at(lip);
      const [ip, iq] = at(inside);
      frame.polygon(bp, bq, fq, fp);
      frame.polygon(fp, fq, lq, lp);
      frame.polygon(lp, lq, iq, ip);
    }
  }
  b.meshes.push(frame.build(node, frameMaterial(work)));
}

/** A small card with the work's number, at the right of its lower edge. */
function addLabel(b: Building, work: (typeof works)[number]): void {
  const [w, h] = [0.085, 0.06];
  const gap = 0.13;
  const u = 1 + (gap + w / 2) / work.width;
  const centre = pointOnWork(work, u, 0);
  const n = wallNormal(work.side);
  const along: Vec3 = work.side === "north" || work.side === "south" ? [1, 0, 0] : [0, 0, 1];
  const y = 1.15;
  const on = add([centre[0], y, centre[2]], scale(n, -work.depth + 0.003));
  const [low, high] = lowHigh(
    add(on, [(-along[0] * w) / 2, -h / 2, (-along[2] * w) / 2]),
    add(on, [(along[0] * w) / 2, h / 2, (along[2] * w) / 2]),
  );
  b.faces.push(
    face(`label-${work.number}`, facing[work.side], low, high, "image", {
      grain: 0.05,
      pixels: 700,
      image: { id: `label-${work.number}` },
    }),
  );
}

/** The mounting of the hanging scroll: cloth above and below, a roller and two cords. */
function addScroll(b: Building, node: string, work: (typeof works)[number]): void {
  const n = wallNormal(work.side);
  const [w, h] = [work.width, work.height];
  const back = add(pointOnWork(work), scale(n, -work.depth + 0.006));
  const [side, above, below] = [0.05, 0.26, 0.2];
  const y0 = back[1] - h / 2 - below;
  const y1 = back[1] + h / 2 + above;
  b.faces.push(
    face(node, "+z", [back[0] - w / 2 - side, y0, back[2]], [back[0] + w / 2 + side, y1, back[2]], "fabric", {
      grain: 0.05,
      pixels: 40,
    }),
  );
  const rods = new MeshBuilder();
  const half = w / 2 + side;
  rodWithEnds(
    rods,
    [back[0] + half + 0.035, y0, back[2] + 0.012],
    [back[0] - half - 0.035, y0, back[2] + 0.012],
    0.016,
  );
  disc(rods, [back[0] - half - 0.035, y0, back[2] + 0.012], [-1, 0, 0], 0.016);
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

// ── Furniture ───────────────────────────────────────────────────────────────────────────────────────────────────

function addFurniture(b: Building): void {
  // The bench: a board on two slabs.
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
  // The desk: a white block with an oak top that stands over a little, and a dark gap under it.
  const { x0, x1, z0, z1, height: top } = desk;
  const over = 0.02;
  b.faces.push(
    ...boxFaces("desk", [x0, top - 0.035, z0], [x1, top, z1], "oak", { ...woodStyle(6, true) }, []),
    ...boxFaces(
      "desk",
      [x0 + over, 0.06, z0 + over],
      [x1 - over, top - 0.035, z1 - over],
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
  // A stack of leaflets on the desk.
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
    face(
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
  // The name on the wall behind the desk, in strokes eight millimetres deep.
  const strokes = new MeshBuilder();
  const plane = wallPlane("entrance", "east");
  for (const [a, c] of signStrokes([(z0 + z1) / 2, 1.95], 0.3)) {
    const front = plane - 0.008;
    const dz = c[0] - a[0];
    const dy = c[1] - a[1];
    const half = 0.011;
    const k = Math.hypot(dz, dy) || 1;
    const [oz, oy] = [(-dy / k) * half, (dz / k) * half];
    // z grows to the right on an east wall; the front face looks west.
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
  // Plinths, and the low table for the bowl.
  for (const o of objects) {
    const node = `plinth-${o.number}`;
    const low: Vec3 = [o.x - o.baseHalf, 0, o.z - o.baseHalf];
    const high: Vec3 = [o.x + o.baseHalf, o.baseHeight, o.z + o.baseHalf];
    // Away from the roof light an object gets a lamp of its own.
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
    const thick = 0.035;
    b.faces.push(
      ...boxFaces(node, [low[0], high[1] - thick, low[2]], high, "lacquer", { grain: 0.04, pixels: 40 }, []),
    );
    for (const sx of [-1, 1]) {
      for (const sz of [-1, 1]) {
        const cx = o.x + sx * (o.baseHalf - 0.05);
        const cz = o.z + sz * (o.baseHalf - 0.05);
        b.faces.push(
          ...boxFaces(
            node,
            [cx - 0.02, 0, cz - 0.02],
            [cx + 0.02, high[1] - thick, cz + 0.02],
            "lacquer",
            { grain: 0.05, pixels: 30 },
            ["-y", "+y"],
          ),
        );
      }
    }
  }
  // A paper lamp in the corner of the tea room.
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
