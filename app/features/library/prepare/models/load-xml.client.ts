/** Loads 3MF and COLLADA. Their loaders need a DOM and run on the page. */
import { unzipSync } from "three/examples/jsm/libs/fflate.module.js";
import { ThreeMFLoader } from "three/examples/jsm/loaders/3MFLoader.js";
import { ColladaLoader } from "three/examples/jsm/loaders/ColladaLoader.js";
import { ConversionError } from "../contract";
import { checkZip } from "./check-zip";
import type { LoadedScene } from "./export-scene.client";
import { ModelImages } from "./load-images.client";
import { metresOf } from "./model-units";
import type { ModelRequest } from "./protocol";

/** Characters of an XML document. A tree of its nodes takes about ten times as much memory. */
const XML_MAX = 128 * 1024 * 1024;
/** Elements of an XML document that are inside of each other. */
const DEPTH_MAX = 500;

/** Loads a 3MF package with its colours, textures and components. Its z is up. */
export async function load3mf({ file, fileName, companions }: ModelRequest): Promise<LoadedScene> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  checkZip(bytes, fileName);
  const files = unzipSync(bytes, { filter: ({ name }) => /^\/?3d\/.*\.model$/i.test(name) });
  const texts = Object.values(files).map((part) => new TextDecoder().decode(part));
  for (const text of texts) checkXml(text);
  const unit =
    /<(?:\w+:)?model\b[^<>]*\bunit\s*=\s*["'](\w+)["']/.exec(texts.join("\n"))?.[1] ?? "millimeter";
  const images = new ModelImages(companions);
  const scene = images.collect(() => new ThreeMFLoader(images).parse(bytes.buffer));
  return { scene, images, unit: metresOf(unit) ?? 1e-3, isZUp: true };
}

/** Loads a COLLADA document, alone or in a KMZ or ZAE archive with its textures. The loader converts unit and up axis. */
export async function loadCollada(request: ModelRequest): Promise<LoadedScene> {
  const { text: source, companions } = await openCollada(request);
  checkXml(source);
  // Exporters on German and French computers write decimal commas.
  const text = /<unit\b[^>]*\bmeter="\d+,\d/.test(source) ? source.replace(/(\d),(\d)/g, "$1.$2") : source;
  const images = new ModelImages(companions);
  const loaded = images.collect(() => new ColladaLoader(images).parse(text, ""));
  if (!loaded) throw new ConversionError("damaged", "no COLLADA document");
  const { scene } = loaded;
  return { scene, images, animations: scene.animations };
}

async function openCollada({ file, fileName, companions }: ModelRequest) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return { text: new TextDecoder().decode(bytes), companions };
  checkZip(bytes, fileName);
  const files = unzipSync(bytes);
  const path = Object.keys(files).find((name) => /\.dae$/i.test(name));
  if (path === undefined)
    throw new ConversionError("missing_files", "no COLLADA document", { names: "*.dae" });
  const inside = Object.entries(files).map(([name, content]) => [name, new Blob([content.slice()])] as const);
  return { text: new TextDecoder().decode(files[path]), companions: new Map([...companions, ...inside]) };
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
