/** Converts models away from the page, so that the page stays responsive and a conversion can be ended at any time. */
import { CONVERTED_MODEL_TYPES as TYPE } from "~/domain/sniff-model-formats";
import { ConversionError } from "../contract";
import { conversionFailure } from "./conversion-failure";
import { exportScene, type LoadedScene } from "./export-scene.client";
import type { ModelRequest, Report, WorkerMessage } from "./protocol";

type Load = (request: ModelRequest, report: Report) => Promise<LoadedScene>;

const scene = (name: "loadFbx" | "loadObj" | "loadUsd" | "loadStl" | "loadPly"): (() => Promise<Load>) => {
  return async () => (await import("./load-scene.client"))[name];
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
  [TYPE.las]: las,
  [TYPE.laz]: las,
  [TYPE.ifc]: async () => (await import("./load-ifc.client")).loadIfc,
};

const send = (message: WorkerMessage) => postMessage(message);
const report: Report = (share, step) => send({ type: "progress", share, step });

async function run(request: ModelRequest): Promise<void> {
  try {
    const load = await LOADERS[request.mimeType]?.();
    if (!load) throw new ConversionError("unsupported_feature", request.mimeType);
    send({ type: "ready" });
    report(0.05, "read");
    send({ type: "done", result: await exportScene(await load(request, report), report) });
  } catch (error) {
    const { code, message, values } = conversionFailure(error);
    send({ type: "failed", code, message, values });
  }
}

addEventListener("message", ({ data }: MessageEvent<ModelRequest>) => void run(data));
