import sharp from "sharp";
import type { DemoAsset, DemoAssetKey, SpaceKey } from "../../seed/demo-assets";
import { eyeHeight, panoramas, works } from "../../seed/gallery-plan";
import { writeSpz } from "../../tests/support/files/spz";
import { makeFloorPlan } from "./floor-plan";
import { writeModel } from "./glb";
import { makeLeaflet } from "./leaflet";
import { makeLeafletThumbnail } from "./leaflet-thumbnail";
import { polygon, svg } from "./prints/press";
import { wordLines } from "./scene/sign";
import { makeSound, soundSeconds } from "./sound";
import { sampleGallery } from "./splats/gallery";
import type { Camera } from "./trace/camera";
import type { VariantId } from "./trace/light";
import { type Pixels, Studio } from "./trace/studio";
import { makeVideo, video } from "./video";

/** A file of the demo. */
export interface DemoFile extends Pick<DemoAsset, "width" | "height" | "duration"> {
  readonly key: DemoAssetKey;
  readonly data: Uint8Array;
}

/** Number of rays with which a sample gathers its light. */
const GATHER_RAYS = 112;

/** Longer side of a print, and widths of panoramas and of the spaces' posters, in pixels. */
const printPixels = 1600;
const panoramaPixels = 4096;
const posterPixels = 1600;

/** Camera and light of each space's poster; `open` hides the ceilings. */
const posters: Readonly<
  Record<SpaceKey, { readonly camera: Camera; readonly variant: VariantId; readonly open?: boolean }>
> = {
  showroom: {
    camera: { kind: "lens", position: [1.5, eyeHeight, 3.2], yaw: 0.3, pitch: 0, angle: 1.02, shift: 0.03 },
    variant: "day",
  },
  panorama: {
    camera: {
      kind: "lens",
      position: [2.4, eyeHeight, 3],
      yaw: 0.62,
      pitch: 0,
      angle: 1.02,
      shift: 0.04,
    },
    variant: "dusk",
  },
  showcase: {
    camera: { kind: "plan", centre: [2.65, 0, 1.5], metresHigh: 19.6 },
    variant: "day",
    open: true,
  },
  splat: {
    camera: { kind: "lens", position: [-1.6, eyeHeight, 1.2], yaw: -0.5, pitch: 0, angle: 1.02, shift: 0.03 },
    variant: "day",
  },
  tearoom: {
    camera: { kind: "lens", position: [10.35, 1.3, -1.6], yaw: 0.4, pitch: 0, angle: 1.02, shift: -0.03 },
    variant: "day",
  },
};

/** Makes every file of the demo in memory. */
export async function makeFiles(log: (line: string) => void): Promise<DemoFile[]> {
  const startedAt = performance.now();
  const logStep = (text: string): void =>
    log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  ${text}`);
  const studio = await Studio.open(GATHER_RAYS);
  try {
    return await makeAllFiles(studio, logStep);
  } finally {
    await studio.close();
  }
}

async function makeAllFiles(studio: Studio, logStep: (text: string) => void): Promise<DemoFile[]> {
  const files: Promise<DemoFile>[] = [];
  const addWebp = (key: DemoAssetKey, pixels: Pixels, quality: number): void => {
    const { width, height } = pixels;
    files.push(webp(pixels, quality).then((data) => ({ key, data, width, height })));
  };

  logStep("drawing the prints");
  const [sheets, poster] = await Promise.all([
    Promise.all(
      works.map(async (work) => ({
        work,
        sheet: await studio.print(work.id, work.width / work.height, printPixels),
      })),
    ),
    studio.print("poster", 1 / Math.SQRT2, printPixels),
  ]);
  for (const { work, sheet } of sheets) {
    addWebp(`work-${work.id}`, sheet, 82);
    studio.addImage(`work-${work.id}`, await shrink(sheet, 1100));
  }
  addWebp("exhibition-poster", poster, 82);
  studio.addImage("leaflet-cover", await shrink(poster, 256));
  for (const { number } of works) studio.addImage(`label-${number}`, await drawLabel(number));

  logStep("tracing the light");
  await studio.trace();
  await studio.combineLight();

  logStep("building the model");
  files.push(writeModel(studio).then((data) => ({ key: "showroom", data })));
  files.push(sampleGallery(studio).then((splats) => ({ key: "splats", data: writeSpz(splats) })));
  const leaflet = makeLeaflet();
  files.push(leaflet.then((data) => ({ key: "leaflet", data })));
  files.push(
    leaflet.then(makeLeafletThumbnail).then((thumbnail) => ({ key: "leaflet-still", ...thumbnail })),
  );
  files.push(
    makeVideo().then((data) => ({
      key: "film",
      data,
      width: video.width,
      height: video.height,
      duration: video.frames / video.perSecond,
    })),
  );
  files.push(makeFloorPlan().then((plan) => ({ key: "floor-plan", ...plan })));
  files.push(Promise.resolve({ key: "sound", data: makeSound(), duration: soundSeconds }));

  logStep("rendering posters and panoramas");
  const posterTasks = Object.entries(posters).map(async ([space, { camera, variant, open }]) => {
    const pixels = await studio.renderImage(camera, posterPixels, (posterPixels * 9) / 16, variant, open);
    addWebp(`poster-${space as SpaceKey}`, pixels, 88);
    addWebp(`poster-${space as SpaceKey}-small`, await shrink(pixels, posterPixels / 2), 80);
  });
  const panoramaTasks = panoramas.map(async ({ id, position, heading }) => {
    const camera: Camera = { kind: "panorama", position, heading };
    addWebp(`pano-${id}`, await studio.renderImage(camera, panoramaPixels, panoramaPixels / 2, "dusk"), 84);
  });
  await Promise.all([...posterTasks, ...panoramaTasks]);
  const allFiles = await Promise.all(files);
  logStep("done");
  return allFiles;
}

async function webp({ data, width, height }: Pixels, quality: number): Promise<Buffer> {
  // Precise colour edges cost seconds on a panorama, and are visible only in the fine lines of prints.
  const smartSubsample = width <= printPixels;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ quality, effort: 2, smartSubsample })
    .toBuffer();
}

/** Returns the image with its longer side at most `longest` pixels. */
async function shrink({ data, width, height }: Pixels, longest: number): Promise<Pixels> {
  const result = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(Math.round(longest), Math.round(longest), { fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: result.data, width: result.info.width, height: result.info.height };
}

/** Draws a white card with a number in strokes. */
async function drawLabel(number: number): Promise<Pixels> {
  const [width, height, size] = [136, 96, 34];
  const { lines: strokeLines, width: textWidth } = wordLines(String(number), 0.3);
  const x0 = (width - textWidth * size) / 2;
  const y0 = (height + size) / 2;
  const strokes = strokeLines
    .map((line) => polygon(line.map(([x, y]) => [x0 + x * size, y0 - y * size])).slice(0, -1))
    .join("");
  const mask = svg(width, height, `<path d="${strokes}" stroke="#fff" stroke-width="4" fill="none"/>`);
  const ink = await sharp(Buffer.from(mask)).removeAlpha().toColourspace("b-w").raw().toBuffer();
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const strength = (ink[i] as number) / 255;
    data.set([250 - strength * 200, 249 - strength * 190, 245 - strength * 150], i * 3);
  }
  return { data, width, height };
}
