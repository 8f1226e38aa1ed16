/** Converts models in a worker, so that the page stays responsive and a conversion can be ended at any time. */
import { CONVERTED_MODEL_TYPES as TYPE } from "~/domain/library/formats/mime-types";
import { ConversionError } from "../conversion";
import type { ReportProgress } from "../run-worker";
import { serveWorker } from "../serve-worker";
import { exportScene, type LoadedScene } from "./export-scene.client";
import type { ModelRequest, ModelResult } from "./model-request";
import { toConversionError } from "./to-conversion-error";

type Load = (request: ModelRequest, report: ReportProgress) => Promise<LoadedScene>;

const sceneLoader = (
  name: "loadFbx" | "loadObj" | "loadUsd" | "loadStl" | "loadPly",
): (() => Promise<Load>) => {
  return async () => (await import("./load-scene.client"))[name];
};
const xmlLoader = (name: "load3mf" | "loadCollada"): (() => Promise<Load>) => {
  return async () => (await import("./load-xml.client"))[name];
};
const lasLoader = async (): Promise<Load> => (await import("./load-las.client")).loadLas;

const LOADERS: Readonly<Record<string, () => Promise<Load>>> = {
  [TYPE.fbx]: sceneLoader("loadFbx"),
  [TYPE.obj]: sceneLoader("loadObj"),
  [TYPE.usdz]: sceneLoader("loadUsd"),
  [TYPE.usda]: sceneLoader("loadUsd"),
  [TYPE.usdc]: sceneLoader("loadUsd"),
  [TYPE.stl]: sceneLoader("loadStl"),
  [TYPE.ply]: sceneLoader("loadPly"),
  [TYPE.threeMf]: xmlLoader("load3mf"),
  [TYPE.collada]: xmlLoader("loadCollada"),
  [TYPE.colladaZip]: xmlLoader("loadCollada"),
  [TYPE.kmz]: xmlLoader("loadCollada"),
  [TYPE.las]: lasLoader,
  [TYPE.laz]: lasLoader,
  [TYPE.ifc]: async () => (await import("./load-ifc.client")).loadIfc,
};

async function convert(request: ModelRequest, report: ReportProgress): Promise<ModelResult> {
  const load = await LOADERS[request.mimeType]?.();
  if (!load) throw new ConversionError("unsupported_feature", request.mimeType);
  // Most loaders read the whole file in one call.
  report(0.05, "read", { bytes: request.file.size });
  const loaded = await load(request, report);
  return exportScene(loaded, report);
}

serveWorker(convert, toConversionError);
