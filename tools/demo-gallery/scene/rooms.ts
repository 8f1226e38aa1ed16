/** Adds the rooms: floors, ceilings, walls, doorways, the roof light, screens and the alcove. */
import type { Vec3 } from "~/domain/shared/model";
import {
  alcove,
  type Doorway,
  doorways,
  lantern,
  type Room,
  type RoomId,
  rooms,
  type Side,
  screens,
  streetDoor,
  wallPlane,
  wallThickness,
  works,
} from "../../../seed/gallery-plan";
import {
  type Building,
  flatStyle,
  floorPixels,
  recess,
  wallBox,
  wallDirection,
  wallFace,
  wallTop,
  woodMetres,
  woodStyle,
} from "./building";
import { boxFaces, createFace, type FaceRectangle, type FaceStyle, MeshBuilder } from "./geometry";
import type { MaterialId } from "./materials";

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

/** Adds a room: its floor, ceiling, walls and skirting. */
export function addRoom(b: Building, room: Room): void {
  const { id, x0, x1, z0, z1, height } = room;
  b.faces.push(
    createFace(`floor-${id}`, "+y", [x0, 0, z0], [x1, 0, z1], floorMaterial[id], {
      grain: 0.06,
      pixels: floorPixels,
      image: { id: `floor-${id}` },
    }),
  );
  const ceilingHoles: FaceRectangle[] =
    id === "hall"
      ? [{ u0: lantern.x0 - x0, u1: lantern.x1 - x0, v0: lantern.z0 - z0, v1: lantern.z1 - z0 }]
      : [];
  b.faces.push(
    createFace(`ceiling-${id}`, "-y", [x0, height, z0], [x1, height, z1], ceilingMaterial[id], {
      grain: 0.12,
      pixels: id === "cabinet" ? 90 : 20,
      holes: ceilingHoles,
      ...(id === "cabinet" ? { image: { id: "oak", repeatSize: woodMetres } } : {}),
    }),
  );
  for (const side of sides) addWall(b, room, side);
}

/** An opening of a wall: its begin and end along the wall, and the heights of its bottom and top, in metres. */
interface Opening {
  readonly from: number;
  readonly to: number;
  readonly y0: number;
  readonly y1: number;
}

function openingsOf(room: RoomId, side: Side): Opening[] {
  const openings: Opening[] = doorways
    .filter(({ a, b }) => (a.room === room && a.side === side) || (b.room === room && b.side === side))
    .map((door) => ({ from: door.from, to: door.to, y0: 0, y1: door.height }));
  if (room === "entrance" && side === "south")
    openings.push({ from: streetDoor.x0, to: streetDoor.x1, y0: 0, y1: streetDoor.height });
  if (room === "cabinet" && side === "east")
    openings.push({ from: screens.z0, to: screens.z1, y0: screens.y0, y1: screens.y1 });
  if (room === "cabinet" && side === "north")
    openings.push({ from: alcove.x0, to: alcove.x1, y0: 0, y1: alcove.height });
  return openings;
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
  // Above a lowered ceiling the wall continues up to the cut, where only the view from above shows it.
  if (room.height < wallTop)
    b.faces.push(wallFace(node, room.id, side, from, to, room.height, wallTop, 0, "cut", flatStyle));
  if (room.id === "cabinet") return;
  // The skirting is interrupted by openings that reach the floor.
  const gaps = openings.filter((o) => o.y0 === 0).sort((p, q) => p.from - q.from);
  let start = from;
  for (const end of [...gaps.map((o) => o.from), to]) {
    if (end - start > 0.05) addSkirting(b, room.id, side, start, end);
    start = gaps.find((o) => o.from === end)?.to ?? end;
  }
}

function addSkirting(b: Building, room: RoomId, side: Side, from: number, to: number): void {
  const material: MaterialId = room === "indigo" ? "indigo" : "skirting";
  const [low, high] = wallBox(room, side, from, to, 0, 0.07, 0, 0.012);
  const backFacing = wallDirection[opposite[side]];
  b.faces.push(
    ...boxFaces(`skirting-${room}`, low, high, material, { grain: 0.07, pixels: 24 }, ["-y", backFacing]),
  );
}

const opposite: Readonly<Record<Side, Side>> = { north: "south", south: "north", east: "west", west: "east" };

/** Adds the inner sides, the top and the floor of a doorway between two rooms. */
export function addDoorway(b: Building, door: Doorway): void {
  const node = `wall-${door.id}`;
  const alongX = door.a.side === "north" || door.a.side === "south";
  const p = wallPlane(door.a.room, door.a.side);
  const q = wallPlane(door.b.room, door.b.side);
  const [near, far] = [Math.min(p, q), Math.max(p, q)];
  const style: FaceStyle = { grain: 0.05, pixels: 40 };
  const floorStyle: FaceStyle = {
    grain: 0.05,
    pixels: floorPixels,
    image: { id: "oak", repeatSize: woodMetres, turned: !alongX },
  };
  const { from, to, height } = door;
  if (alongX) {
    b.faces.push(
      createFace(node, "+x", [from, 0, near], [from, height, far], "plaster", style),
      createFace(node, "-x", [to, 0, near], [to, height, far], "plaster", style),
      createFace(node, "-y", [from, height, near], [to, height, far], "plaster", style),
      createFace(`floor-${door.id}`, "+y", [from, 0, near], [to, 0, far], "oak", floorStyle),
    );
  } else {
    b.faces.push(
      createFace(node, "+z", [near, 0, from], [far, height, from], "plaster", style),
      createFace(node, "-z", [near, 0, to], [far, height, to], "plaster", style),
      createFace(node, "-y", [near, height, from], [far, height, to], "plaster", style),
      createFace(`floor-${door.id}`, "+y", [near, 0, from], [far, 0, to], "oak", floorStyle),
    );
  }
}

/**
 * Adds the roof light (a shaft through the hall's ceiling, a luminous top and a grid of bars below it), and the slots of light in the
 * ceilings of the entrance and the indigo room.
 */
export function addLantern(b: Building): void {
  const { x0, x1, z0, z1, top } = lantern;
  const y = rooms.hall.height;
  const style: FaceStyle = { grain: 0.06, pixels: 40 };
  b.faces.push(
    createFace("ceiling-lantern", "+x", [x0, y, z0], [x0, top, z1], "ceiling", style),
    createFace("ceiling-lantern", "-x", [x1, y, z0], [x1, top, z1], "ceiling", style),
    createFace("ceiling-lantern", "+z", [x0, y, z0], [x1, top, z0], "ceiling", style),
    createFace("ceiling-lantern", "-z", [x0, y, z1], [x1, top, z1], "ceiling", style),
    createFace("ceiling-lantern-glass", "-y", [x0, top, z0], [x1, top, z1], "sky", { grain: 1, pixels: 8 }),
  );
  const bars = new MeshBuilder();
  const [low, high, half] = [top - 0.2, top - 0.02, 0.025];
  for (let x = x0 + 1.2; x < x1 - 0.1; x += 1.2) bars.box([x - half, low, z0], [x + half, high, z1]);
  for (let z = z0 + 1.2; z < z1 - 0.1; z += 1.2) bars.box([x0, low, z - half], [x1, high, z + half]);
  b.meshes.push(bars.build("ceiling-lantern-bars", "white", true));

  const slots: readonly [RoomId, x0: number, x1: number, z0: number, z1: number][] = [
    ["entrance", -2.2, -1.95, 4.8, 9.2],
    ["entrance", 1.95, 2.2, 4.8, 9.2],
    ["indigo", 6.9, 10.7, 3.3, 3.42],
  ];
  for (const [room, slotX0, slotX1, slotZ0, slotZ1] of slots) {
    const h = rooms[room].height - 0.004;
    b.faces.push(
      createFace(`ceiling-${room}-slot`, "-y", [slotX0, h, slotZ0], [slotX1, h, slotZ1], "slot", {
        grain: 1,
        pixels: 8,
      }),
    );
  }
}

/** Adds the entrance's door to the street: a frosted panel behind wooden bars. */
export function addStreetDoor(b: Building): void {
  const { x0, x1, height } = streetDoor;
  const z = rooms.entrance.z1;
  const node = "wall-street-door";
  b.faces.push(
    createFace(node, "+x", [x0, 0, z], [x0, height, z + recess], "oak", woodStyle(0)),
    createFace(node, "-x", [x1, 0, z], [x1, height, z + recess], "oak", woodStyle(1)),
    createFace(node, "-y", [x0, height, z], [x1, height, z + recess], "oak", woodStyle(2)),
    createFace("floor-street-door", "+y", [x0, 0, z], [x1, 0, z + recess], "oak", woodStyle(3)),
    createFace(`${node}-glass`, "-z", [x0, 0, z + recess], [x1, height, z + recess], "frosted", {
      grain: 1,
      pixels: 8,
    }),
  );
  const bars = new MeshBuilder();
  const [front, back] = [z + 0.03, z + recess - 0.005];
  const addBar = (a: number, c: number, y0: number, y1: number): void =>
    bars.box([a, y0, front], [c, y1, back]);
  for (const x of [x0, -0.75 - 0.03, -0.03, 0.75 - 0.03, x1 - 0.06]) addBar(x, x + 0.06, 0, height);
  for (const y of [0, 1.02, height - 0.06]) addBar(x0, x1, y, y + 0.06);
  b.meshes.push(bars.build(node, "oakPlain", true));
}

/** Adds four paper screens: luminous sheets behind a square lattice. */
export function addScreens(b: Building): void {
  const { z0, z1, y1 } = screens;
  const x = rooms.cabinet.x1;
  const node = "wall-screens";
  b.faces.push(
    createFace(node, "-x", [x + recess, 0, z0], [x + recess, y1, z1], "paper", { grain: 1, pixels: 8 }),
    createFace(node, "+z", [x, 0, z0], [x + recess, y1, z0], "darkWood", { grain: 0.05, pixels: 40 }),
    createFace(node, "-z", [x, 0, z1], [x + recess, y1, z1], "darkWood", { grain: 0.05, pixels: 40 }),
    createFace(node, "-y", [x, y1, z0], [x + recess, y1, z1], "darkWood", { grain: 0.05, pixels: 40 }),
    createFace("floor-screens", "+y", [x, 0, z0], [x + recess, 0, z1], "darkWood", {
      grain: 0.05,
      pixels: 40,
    }),
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

/** Adds the alcove of the cabinet, with its post and the beam around the room. */
export function addAlcove(b: Building): void {
  const { x0, x1, z0, z1, height, step } = alcove;
  const node = "wall-alcove";
  const style: FaceStyle = { grain: 0.04, pixels: 50 };
  b.faces.push(
    createFace(node, "+z", [x0, step, z0], [x1, height, z0], "earth", style),
    createFace(node, "+x", [x0, step, z0], [x0, height, z1], "earth", style),
    createFace(node, "-x", [x1, step, z0], [x1, height, z1], "earth", style),
    createFace(node, "-y", [x0, height, z0], [x1, height, z1], "cedar", style),
    createFace("plinth-alcove", "+y", [x0, step, z0], [x1, step, z1], "lacquer", style),
    createFace("plinth-alcove", "+z", [x0, 0, z1], [x1, step, z1], "lacquer", style),
  );
  // A post stands beside the alcove, and a beam runs around the room above the doors.
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

/** Adds the cut walls as in a plan, and the ground below the model. */
export function addCut(b: Building): void {
  const voids = [...Object.values(rooms), { x0: alcove.x0, x1: alcove.x1, z0: alcove.z0, z1: alcove.z1 }];
  const outerAreas = voids.map((v) => ({
    x0: v.x0 - wallThickness,
    x1: v.x1 + wallThickness,
    z0: v.z0 - wallThickness,
    z1: v.z1 + wallThickness,
  }));
  const cutLines = (key: "x" | "z"): number[] => {
    const edges = [...voids, ...outerAreas].flatMap((v) => (key === "x" ? [v.x0, v.x1] : [v.z0, v.z1]));
    const doors = doorways.flatMap((d) => {
      const alongX = d.a.side === "north" || d.a.side === "south";
      return alongX === (key === "x") ? [d.from, d.to] : [];
    });
    return [...new Set([...edges, ...doors].map((n) => Math.round(n * 1000) / 1000))].sort((p, q) => p - q);
  };
  const isWithin = (
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
  const xs = cutLines("x");
  const zs = cutLines("z");
  for (let j = 0; j + 1 < zs.length; j++) {
    for (let i = 0; i + 1 < xs.length; i++) {
      const [xa, xb, za, zb] = [xs[i], xs[i + 1], zs[j], zs[j + 1]] as [number, number, number, number];
      const [x, z] = [(xa + xb) / 2, (za + zb) / 2];
      if (!isWithin(outerAreas, x, z) || isWithin(voids, x, z)) continue;
      const material: MaterialId = isDoor(x, z) ? "lintel" : "cut";
      b.faces.push(createFace("wall-cut", "+y", [xa, wallTop, za], [xb, wallTop, zb], material, flatStyle));
    }
  }
  const edge = 0.8;
  const low: Vec3 = [rooms.hall.x0 - edge, -0.16, alcove.z0 - edge];
  const high: Vec3 = [rooms.cabinet.x1 + edge, -0.02, rooms.entrance.z1 + edge];
  b.faces.push(...boxFaces("base", low, high, "base", flatStyle));
}
