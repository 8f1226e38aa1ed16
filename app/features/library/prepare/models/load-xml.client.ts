/** Loads 3MF and COLLADA in a worker. Their loaders need a DOMParser, which xml-document.ts replaces. */
import { Loader } from "three";
import { unzipSync } from "three/examples/jsm/libs/fflate.module.js";
import { ThreeMFLoader } from "three/examples/jsm/loaders/3MFLoader.js";
import { ColladaLoader } from "three/examples/jsm/loaders/ColladaLoader.js";
import { decodeText } from "~/domain/library/formats/decode-text";
import { ConversionError } from "../conversion";
import type { ReportProgress } from "../run-worker";
import { checkZip } from "./check-zip";
import { bindUniqueMaterials, removeDeadReferences, rewritePrimitives } from "./collada-primitives";
import type { LoadedScene } from "./export-scene.client";
import { ModelImages } from "./model-images.client";
import type { ModelRequest } from "./model-request";
import { getUnitMetres } from "./model-units";
import { replaceUndeclared } from "./plain-material.client";
import { addPathToObjectIds, chooseSingleProperties, orderModelPaths } from "./threemf-parts";
import { parseXml, type XmlDocument } from "./xml-document";

/** Runs a loader that parses XML. @param parse replaces DOMParser.parseFromString */
function withParser<T>(parse: (text: string) => XmlDocument, load: () => T): T {
  const previousParser = Object.getOwnPropertyDescriptor(globalThis, "DOMParser");
  Object.defineProperty(globalThis, "DOMParser", {
    configurable: true,
    value: class {
      parseFromString = parse;
    },
  });
  try {
    return load();
  } finally {
    if (previousParser) Object.defineProperty(globalThis, "DOMParser", previousParser);
    else Reflect.deleteProperty(globalThis, "DOMParser");
  }
}

/** Parses a document with progress reports. The loader then reads its elements in a single call. */
function parseReporting(text: string, report: ReportProgress): XmlDocument {
  const document = parseXml(text, (share) => report(0.1 + 0.2 * share, "decode"));
  report(0.3, "decode", { bytes: text.length });
  return document;
}

/** Maximum size of an XML document in bytes. V8's strings have at most 2^29 − 24 characters, and browsers truncate or reject longer ones. */
const XML_MAX_BYTES = 2 ** 29 - 24;

/** @throws ConversionError too_large for an XML document that does not fit into a string */
function checkXmlSize(bytes: number, name: string): void {
  if (/\.(model|dae|rels|xml)$/i.test(name) && bytes > XML_MAX_BYTES)
    throw new ConversionError("too_large", `${name} has ${bytes} bytes of XML.`);
}

/** Loads a 3MF package with its colours, textures and components. In 3MF, z is up. */
export async function load3mf(request: ModelRequest, report: ReportProgress): Promise<LoadedScene> {
  const { file, fileName, companions } = request;
  const bytes = new Uint8Array(await file.arrayBuffer());
  checkZip(bytes, fileName);
  const images = new ModelImages(companions);
  const paths: string[] = [];
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      paths.push(name);
      checkXmlSize(originalSize, name);
      return false;
    },
  });
  const orderedPaths = orderModelPaths(paths);
  const models: XmlDocument[] = [];
  const parse = (text: string) => {
    const document = parseReporting(text, report);
    if (document.documentElement.localName !== "model") return document;
    chooseSingleProperties(document);
    addPathToObjectIds(document, orderedPaths[models.length] ?? "");
    models.push(document);
    return document;
  };
  const scene = withParser(parse, () => images.collect(() => new ThreeMFLoader(images).parse(bytes.buffer)));
  replaceUndeclared(scene, ({ name }) => name !== Loader.DEFAULT_MATERIAL_NAME);
  const unit = models.map(({ documentElement }) => documentElement.getAttribute("unit")).find(Boolean);
  return {
    scene,
    images,
    unit: getUnitMetres(unit ?? "millimeter") ?? 1e-3,
    isZUp: true,
    notes: models.some((model) => model.querySelector("slicestack"))
      ? [{ key: "slices_left_out", values: {} }]
      : [],
  };
}

/** Loads a COLLADA document, alone or in a KMZ or ZAE archive with its textures. The loader converts the unit and the up axis. */
export async function loadCollada(request: ModelRequest, report: ReportProgress): Promise<LoadedScene> {
  const { text: source, companions } = await openCollada(request);
  // Exporters on computers with German or French settings write decimal commas.
  const text = /<unit\b[^>]*\bmeter="\d+,\d/.test(source) ? source.replace(/(\d),(\d)/g, "$1.$2") : source;
  // The loader requires an asset element, which some tools omit.
  const completeText = /<asset[\s>/]/.test(text) ? text : text.replace(/<COLLADA\b[^>]*>/, "$&<asset/>");
  const document = parseReporting(completeText, report);
  bindUniqueMaterials(document);
  rewritePrimitives(document);
  const images = new ModelImages(companions);
  const { scene } = images.collect(() => readCollada(document, images));
  return { scene, images, animations: scene.animations };
}

/** Reads a document. If the loader fails, references to missing elements are removed and the document is read again. */
function readCollada(document: XmlDocument, images: ModelImages) {
  if (document.documentElement.nodeName !== "COLLADA")
    throw new ConversionError("damaged", "The file contains no COLLADA document.");
  const read = () => {
    // The loader returns null for an empty text.
    const collada = withParser(
      () => document,
      () => new ColladaLoader(images).parse(" ", ""),
    );
    if (!collada) throw new ConversionError("damaged", "The file contains no COLLADA document.");
    return collada;
  };
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    removeDeadReferences(document);
    return read();
  }
}

async function openCollada({ file, fileName, companions }: ModelRequest) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    checkXmlSize(bytes.length, fileName);
    return { text: decodeText(bytes), companions };
  }
  checkZip(bytes, fileName);
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      checkXmlSize(originalSize, name);
      return true;
    },
  });
  const path = Object.keys(files).find((name) => /\.dae$/i.test(name));
  if (path === undefined)
    throw new ConversionError("missing_files", "The file contains no COLLADA document.", { names: "*.dae" });
  const packagedFiles = Object.entries(files).map(
    ([name, content]) => [name, new Blob([content.slice()])] as const,
  );
  const text = decodeText(files[path] ?? new Uint8Array());
  return { text, companions: new Map([...companions, ...packagedFiles]) };
}
