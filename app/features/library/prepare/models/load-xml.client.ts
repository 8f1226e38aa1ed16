/** Loads 3MF and COLLADA. Their loaders need a DOM and run on the page. */
import { Loader } from "three";
import { unzipSync, zipSync } from "three/examples/jsm/libs/fflate.module.js";
import { ThreeMFLoader } from "three/examples/jsm/loaders/3MFLoader.js";
import { ColladaLoader } from "three/examples/jsm/loaders/ColladaLoader.js";
import { decodeText } from "~/domain/decode-text";
import { ConversionError } from "../contract";
import { checkZip } from "./check-zip";
import { rewritePrimitives, withoutDeadReferences } from "./collada-primitives";
import type { LoadedScene } from "./export-scene.client";
import { ModelImages } from "./load-images.client";
import { metresOf } from "./model-units";
import { replaceUnstated } from "./plain-material.client";
import type { ModelRequest } from "./protocol";
import { readablePart } from "./threemf-parts";

/** Characters of an XML document. A tree of its nodes takes about ten times as much memory. */
const XML_MAX = 128 * 1024 * 1024;
/** Elements of an XML document that are inside of each other. */
const DEPTH_MAX = 500;

const MODEL_PART = /^\/?3d\/.*\.model$/i;

/** Loads a 3MF package with its colours, textures and components. Its z is up. */
export async function load3mf({ file, fileName, companions }: ModelRequest): Promise<LoadedScene> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  checkZip(bytes, fileName);
  const files = unzipSync(bytes, { filter: ({ name }) => MODEL_PART.test(name) });
  const texts = Object.values(files).map(decodeText);
  for (const text of texts) checkXml(text);
  const unit =
    /<(?:\w+:)?model\b[^<>]*\bunit\s*=\s*["'](\w+)["']/.exec(texts.join("\n"))?.[1] ?? "millimeter";
  const images = new ModelImages(companions);
  const readable = readablePackage(bytes, texts);
  const scene = images.collect(() => new ThreeMFLoader(images).parse(readable));
  replaceUnstated(scene, ({ name }) => name !== Loader.DEFAULT_MATERIAL_NAME);
  return {
    scene,
    images,
    unit: metresOf(unit) ?? 1e-3,
    isZUp: true,
    notes: texts.some((text) => /<(?:\w+:)?slicestack\b/.test(text))
      ? [{ key: "slices_left_out", values: {} }]
      : [],
  };
}

/** The package with parts that the loader reads; the same bytes where it reads all of them. */
function readablePackage(bytes: Uint8Array<ArrayBuffer>, texts: readonly string[]): ArrayBuffer {
  if (texts.every((text) => readablePart(text) === text)) return bytes.buffer;
  const parts = Object.entries(unzipSync(bytes)).map(([name, content]) => {
    if (!MODEL_PART.test(name)) return [name, content] as const;
    return [name, new TextEncoder().encode(readablePart(decodeText(content)))] as const;
  });
  return zipSync(Object.fromEntries(parts), { level: 0 }).slice().buffer;
}

/** Loads a COLLADA document, alone or in a KMZ or ZAE archive with its textures. The loader converts unit and up axis. */
export async function loadCollada(request: ModelRequest): Promise<LoadedScene> {
  const { text: source, companions } = await openCollada(request);
  checkXml(source);
  // Exporters on German and French computers write decimal commas.
  const text = /<unit\b[^>]*\bmeter="\d+,\d/.test(source) ? source.replace(/(\d),(\d)/g, "$1.$2") : source;
  // The loader expects an asset, which some writers leave out.
  const whole = /<asset[\s>/]/.test(text) ? text : text.replace(/<COLLADA\b[^>]*>/, "$&<asset/>");
  const readable = rewritePrimitives(whole);
  const images = new ModelImages(companions);
  const loaded = images.collect(() => parseCollada(readable, images));
  if (!loaded) throw new ConversionError("damaged", "no COLLADA document");
  const { scene } = loaded;
  return { scene, images, animations: scene.animations };
}

/** Parses a document. Where the loader fails, it parses it again without references to elements that do not exist. */
function parseCollada(text: string, images: ModelImages) {
  const parse = (source: string) => new ColladaLoader(images).parse(source, "");
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return parse(withoutDeadReferences(text));
  }
}

async function openCollada({ file, fileName, companions }: ModelRequest) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return { text: decodeText(bytes), companions };
  checkZip(bytes, fileName);
  const files = unzipSync(bytes);
  const path = Object.keys(files).find((name) => /\.dae$/i.test(name));
  if (path === undefined)
    throw new ConversionError("missing_files", "no COLLADA document", { names: "*.dae" });
  const inside = Object.entries(files).map(([name, content]) => [name, new Blob([content.slice()])] as const);
  const text = decodeText(files[path] ?? new Uint8Array());
  return { text, companions: new Map([...companions, ...inside]) };
}

/** Refuses documents that are too large or nested too deeply for a loader that calls itself for every level. */
function checkXml(text: string): void {
  if (text.length > XML_MAX) throw new ConversionError("too_large", `${text.length} characters of XML`);
  let depth = 0;
  for (const [tag] of text.matchAll(/<[^!?<>][^<>]*>/g)) {
    if (tag.startsWith("</")) depth--;
    else if (!tag.endsWith("/>")) depth++;
    if (depth > DEPTH_MAX) throw new ConversionError("too_large", `elements ${depth} levels deep`);
  }
}
