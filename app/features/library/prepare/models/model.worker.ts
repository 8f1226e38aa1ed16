/** Converts models in a worker, so that the page stays responsive and a conversion can be ended at any time. */
import { CONVERTED_MODEL_TYPES as TYPE } from "~/domain/library/formats/file-types";
import { ConversionError } from "../contract";
import type { ReportProgress } from "../run-worker";
import { serveWorker } from "../serve-worker";
import { exportScene, type LoadedScene } from "./export-scene.client";
import type { ModelRequest, ModelResult } from "./model-request";
import { toConversionError } from "./to-conversion-error";

type Load = (request: ModelRequest, report: ReportProgress) => Promise<LoadedScene>;

const scene = (name: "loadFbx" | "loadObj" | "loadUsd" | "loadStl" | "loadPly"): (() => Promise<Load>) => {
  return async () => (await import("./load-scene.client"))[name];
};
const xml = (name: "load3mf" | "loadCollada"): (() => Promise<Load>) => {
  return async () => (await import("./load-xml.client"))[name];
};
const las = async (): Promise<Load> => (await import("./load-las.client")).loadLas;

const LOADERS: Readonly<Record<string, () => Promise<Load>>> = {
  [TYPE.fbx]: scene("loadFbx"),
  [TYPE.obj]: scene("loadObj"),
  [TYPE.usdz]: scene("loadUsd"),
  [TYPE.usda]: scene("loadUsd"),
  [TYPE.usdc]: scene("loadUsd"),
  [TYPE.stl]: scene("loadStl"),
  [TYPE.ply]: scene("loadPly"),
  [TYPE.threeMf]: xml("load3mf"),
  [TYPE.collada]: xml("loadCollada"),
  [TYPE.colladaZip]: xml("loadCollada"),
  [TYPE.kmz]: xml("loadCollada"),
  [TYPE.las]: las,
  [TYPE.laz]: las,
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
