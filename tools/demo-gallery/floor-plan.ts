/** Draws the gallery from above, for the demo's floor plan: walls, doorways, works and objects. */
import sharp from "sharp";
import {
  alcove,
  bench,
  desk,
  doorways,
  floorPlanExtent,
  lantern,
  objects,
  pointOnWork,
  rooms,
  screens,
  streetDoor,
  wallPlane,
  wallThickness,
  works,
} from "../../seed/gallery-plan";

const pixelsPerMetre = 64;

const paper = "#f7f5ef";
const floor = "#fffefb";
const wall = "#33384a";
const furniture = "#c9c4b6";
const print = "#27348b";

/** Converts a length to pixels, as text. */
const px = (metres: number): string => (Math.round(metres * pixelsPerMetre * 10) / 10).toString();

function rectangle(x0: number, z0: number, x1: number, z1: number, style: string): string {
  return `<rect x="${px(x0 - floorPlanExtent.x0)}" y="${px(z0 - floorPlanExtent.z0)}" width="${px(x1 - x0)}" height="${px(z1 - z0)}" ${style}/>`;
}

function createSvg(): string {
  const spaces = [...Object.values(rooms), alcove];
  const shapes = [
    ...spaces.map(({ x0, x1, z0, z1 }) =>
      rectangle(
        x0 - wallThickness,
        z0 - wallThickness,
        x1 + wallThickness,
        z1 + wallThickness,
        `fill="${wall}"`,
      ),
    ),
    ...spaces.map(({ x0, x1, z0, z1 }) => rectangle(x0, z0, x1, z1, `fill="${floor}"`)),
    ...doorways.map(({ a, b, from, to }) => {
      const planes = [wallPlane(a.room, a.side), wallPlane(b.room, b.side)];
      const [low, high] = [Math.min(...planes), Math.max(...planes)];
      const alongX = a.side === "north" || a.side === "south";
      return alongX
        ? rectangle(from, low, to, high, `fill="${floor}"`)
        : rectangle(low, from, high, to, `fill="${floor}"`);
    }),
    rectangle(
      rooms.cabinet.x1,
      screens.z0,
      rooms.cabinet.x1 + wallThickness,
      screens.z1,
      `fill="${furniture}"`,
    ),
    rectangle(
      streetDoor.x0,
      rooms.entrance.z1,
      streetDoor.x1,
      rooms.entrance.z1 + wallThickness,
      `fill="${furniture}"`,
    ),
    rectangle(
      lantern.x0,
      lantern.z0,
      lantern.x1,
      lantern.z1,
      `fill="none" stroke="${furniture}" stroke-width="3" stroke-dasharray="14 12"`,
    ),
    rectangle(
      bench.x - bench.length / 2,
      bench.z - bench.depth / 2,
      bench.x + bench.length / 2,
      bench.z + bench.depth / 2,
      `fill="${furniture}" rx="4"`,
    ),
    rectangle(desk.x0, desk.z0, desk.x1, desk.z1, `fill="${furniture}" rx="4"`),
    ...objects.map(({ x, z, baseHalf }) =>
      rectangle(
        x - baseHalf,
        z - baseHalf,
        x + baseHalf,
        z + baseHalf,
        `fill="${furniture}" stroke="${wall}" stroke-width="2" rx="3"`,
      ),
    ),
    ...works.map((work) => {
      const [[ax, , az], [bx, , bz]] = [pointOnWork(work, 0), pointOnWork(work, 1)];
      return `<path d="M${px(ax - floorPlanExtent.x0)} ${px(az - floorPlanExtent.z0)}L${px(bx - floorPlanExtent.x0)} ${px(bz - floorPlanExtent.z0)}" stroke="${print}" stroke-width="8"/>`;
    }),
  ];
  const size = `${px(floorPlanExtent.x1 - floorPlanExtent.x0)} ${px(floorPlanExtent.z1 - floorPlanExtent.z0)}`;
  const [width, height] = size.split(" ");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${size}"><rect width="100%" height="100%" fill="${paper}"/>${shapes.join("")}</svg>`;
}

/** Returns the floor plan as WebP. */
export async function makeFloorPlan() {
  const { data, info } = await sharp(Buffer.from(createSvg()))
    .webp({ quality: 90 })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
