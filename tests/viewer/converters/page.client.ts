/** Page that converts files from its server and measures the results. */
import * as THREE from "three";
import { type Conversion, ConversionError } from "~/features/library/prepare/conversion";
import { getConverter } from "~/features/library/prepare/converters";
import { parseXml, type XmlElement } from "~/features/library/prepare/models/xml-document";
import { openGltf } from "~/viewer/model/open-gltf.client";

/** Measurements of a converted file that the viewer's loader has read. */
export interface Converted {
  readonly before: Conversion["before"];
  readonly after: Conversion["after"];
  readonly losses: Conversion["losses"];
  readonly notes: NonNullable<Conversion["notes"]>;
  /** Metres. */
  readonly size: readonly number[];
  /** Height of the lowest point over the origin, in metres. */
  readonly bottom: number;
  readonly triangles: number;
  readonly points: number;
  readonly textures: number;
  /** Textures that stay compressed in the graphics card. */
  readonly compressed: number;
  readonly animations: number;
  /** Meshes and point clouds that are drawn, and how many different geometries they have. */
  readonly meshes: number;
  readonly geometries: number;
  readonly names: readonly string[];
  /** Colour of the first mesh's material, 0…255 in sRGB. */
  readonly colour: readonly number[];
  /** Lowest opacity of a material, 0…1. */
  readonly opacity: number;
  /** Colours in the middle of the texture, and of the first point, 0…255 in sRGB. */
  readonly texel: readonly number[] | null;
  readonly pointColour: readonly number[] | null;
  readonly steps: readonly string[];
  /** Longest time for which the conversion blocked the page, and the whole time, in milliseconds. */
  readonly pause: number;
  readonly duration: number;
}

export type Outcome =
  | { readonly converted: Converted }
  | { readonly code: string; readonly message: string; readonly values: unknown };

export interface ConversionJob {
  readonly name: string;
  readonly url: string;
  readonly mimeType: string;
  /** URLs of the companion files, by path. */
  readonly companions?: Readonly<Record<string, string>>;
  /** Ends the conversion at this step. */
  readonly abortAt?: string;
}

/** True when the converters' parser reads a document as the browser's parser does. */
async function parsesLikeBrowser(url: string): Promise<boolean> {
  const text = await (await blobOf(url)).text();
  const parsedDocument = new DOMParser().parseFromString(text, "application/xml");
  return describeNode(parsedDocument.documentElement) === describeNode(parseXml(text).documentElement);
}

function describeNode(node: Element | XmlElement): string {
  const attributes = [...node.attributes].map(({ name, value }) => `${name}=${value}`);
  const children = [...node.children].map(describeNode);
  const text = children.length === 0 ? node.textContent.trim() : "";
  return `<${node.nodeName} ${node.localName} ${node.namespaceURI} ${attributes}>${text}${children.join("")}</>`;
}

const blobOf = async (url: string) => (await fetch(url)).blob();
let lastResult: Blob | null = null;

/** Measures the longest time for which the page is blocked, and the whole time. @returns a function that ends the measurement */
function watchPage(): () => { readonly pause: number; readonly duration: number } {
  const startedAt = performance.now();
  let lastTick = startedAt;
  let pause = 0;
  const tick = () => {
    const now = performance.now();
    pause = Math.max(pause, now - lastTick);
    lastTick = now;
  };
  const timer = setInterval(tick, 4);
  return () => {
    clearInterval(timer);
    tick();
    return { pause, duration: performance.now() - startedAt };
  };
}

async function convert({ name, url, mimeType, companions = {}, abortAt }: ConversionJob): Promise<Outcome> {
  const converter = await getConverter(mimeType);
  if (!converter) return { code: "no converter", message: mimeType, values: {} };
  const files = await Promise.all(
    Object.entries(companions).map(
      async ([path, companionUrl]) => [path, await blobOf(companionUrl)] as const,
    ),
  );
  const stop = new AbortController();
  const steps: string[] = [];
  const file = await blobOf(url);
  const stopWatch = watchPage();
  try {
    const conversion = await converter({
      file,
      fileName: name,
      mimeType,
      companions: new Map(files),
      quality: 1,
      signal: stop.signal,
      onProgress(_share, step) {
        if (steps.at(-1) !== step) steps.push(step);
        if (step === abortAt) stop.abort();
      },
    });
    const times = stopWatch();
    return { converted: { ...(await openConverted(conversion, steps)), ...times } };
  } catch (error) {
    if (error instanceof ConversionError && location.search === "?log" && error.cause)
      console.error(`${(error.cause as Error).stack}`);
    if (error instanceof ConversionError)
      return { code: error.code, message: error.message, values: error.values };
    const { name: code, message } = error as Error;
    return { code, message, values: {} };
  }
}

const renderer = new THREE.WebGLRenderer({ antialias: true });
const openBlob = async (blob: Blob) =>
  openGltf(await blob.arrayBuffer(), { renderer, base: "", signal: new AbortController().signal });

async function openConverted(
  conversion: Conversion,
  steps: readonly string[],
): Promise<Omit<Converted, "pause" | "duration">> {
  const [file] = conversion.files;
  if (!file) throw new Error("no file");
  lastResult = file.blob;
  const { scene, animations } = await openBlob(file.blob);
  scene.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(scene, true);
  let [triangles, points, meshes] = [0, 0, 0];
  const geometries = new Set<THREE.BufferGeometry>();
  const textures = new Set<THREE.Texture>();
  const names: string[] = [];
  let pointColour: number[] | null = null;
  let colour: number[] = [];
  let opacity = 1;
  scene.traverse((object) => {
    if (object.name) names.push(object.name);
    const { geometry, material } = object as THREE.Mesh;
    if (!geometry) return;
    const count = geometry.index?.count ?? geometry.getAttribute("position").count;
    if (object instanceof THREE.Points) {
      points += count;
      const colour = geometry.getAttribute("color");
      if (colour)
        pointColour = new THREE.Color(colour.getX(0), colour.getY(0), colour.getZ(0))
          .convertLinearToSRGB()
          .toArray()
          .map((value) => Math.round(value * 255));
    } else triangles += count / 3;
    meshes++;
    geometries.add(geometry);
    const { map, normalMap, color } = material as THREE.MeshStandardMaterial;
    opacity = Math.min(opacity, (material as THREE.Material).opacity);
    if (colour.length === 0 && color)
      colour = color
        .clone()
        .convertLinearToSRGB()
        .toArray()
        .map((value) => Math.round(value * 255));
    if (map) textures.add(map);
    if (normalMap) textures.add(normalMap);
  });
  const [texture] = textures;
  const { before, after, losses, notes = [] } = conversion;
  return {
    before,
    after,
    losses,
    notes,
    triangles,
    points,
    meshes,
    names,
    steps,
    pointColour,
    colour,
    opacity,
    size: box.getSize(new THREE.Vector3()).toArray(),
    bottom: box.min.y,
    textures: textures.size,
    compressed: [...textures].filter((candidate) => candidate instanceof THREE.CompressedTexture).length,
    animations: animations.length,
    geometries: geometries.size,
    texel: texture?.image instanceof ImageBitmap ? readMiddlePixel(texture.image) : null,
  };
}

function readMiddlePixel(image: ImageBitmap): number[] {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return [];
  context.drawImage(image, Math.floor(image.width / 2), Math.floor(image.height / 2), 1, 1, 0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

/** Draws the last result as an image. */
async function draw(): Promise<void> {
  if (!lastResult) return;
  const { scene } = await openBlob(lastResult);
  renderer.setSize(320, 240);
  const world = new THREE.Scene();
  world.background = new THREE.Color(0xdddddd);
  world.add(scene, new THREE.HemisphereLight(0xffffff, 0x888888, 2));
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(1, 2, 3);
  world.add(sun);
  const box = new THREE.Box3().setFromObject(scene, true);
  const radius = box.getSize(new THREE.Vector3()).length() / 2;
  const camera = new THREE.PerspectiveCamera(45, 4 / 3, radius / 100, radius * 10);
  const middle = box.getCenter(new THREE.Vector3());
  camera.position.copy(middle).add(new THREE.Vector3(0.7, 0.5, 1).normalize().multiplyScalar(radius * 2.4));
  camera.lookAt(middle);
  renderer.render(world, camera);
  document.body.replaceChildren(renderer.domElement);
  await new Promise(requestAnimationFrame);
}

declare global {
  interface Window {
    converters: {
      convert(job: ConversionJob): Promise<Outcome>;
      draw(): Promise<void>;
      parsesLikeBrowser(url: string): Promise<boolean>;
    };
  }
}
window.converters = { convert, draw, parsesLikeBrowser };
