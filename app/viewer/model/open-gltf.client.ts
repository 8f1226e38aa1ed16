import { LoadingManager, type WebGLRenderer } from "three";
import { type GLTF, GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { createAbortError } from "../core/abort";
import { readModelSummary } from "../core/model-summary";
import { TimeSlicer } from "../core/time-slicer";
import { ViewerError } from "../core/viewer-error";
import { DecoderWatchdog } from "../shared/decoder-watchdog";
import { ModelVariants } from "./model-variants.client";
import { removeInvalidTracks } from "./remove-invalid-tracks";

const MEGABYTE = 1024 * 1024;

/** Options for reading a model. */
export interface OpenGltfOptions {
  /** Renderer for whose GPU the textures are transcoded. */
  readonly renderer: WebGLRenderer;
  /** Base URL of the files beside the model, or an empty string when there are none. */
  readonly base: string;
  readonly signal: AbortSignal;
  /** Configures the loader before it starts. */
  prepare?(loader: GLTFLoader): void;
  /** Index of the material variant that is shown. Null for the file's own materials. */
  readonly variant?: number | null;
  /**
   * Aborts when the model is no longer used. With this signal, the decoders of a model with variants stay loaded until then. All other decoders are
   * freed after the load.
   */
  readonly disposalSignal?: AbortSignal;
}

/** A model that was read. */
export interface OpenedGltf extends GLTF {
  readonly variants: ModelVariants;
}

/** Splits the creation of meshes into tasks. Downloads and decoder workers still serve several meshes at the same time. */
function pauseBetweenMeshes(loader: GLTFLoader): void {
  loader.register((parser) => {
    const slicer = new TimeSlicer();
    const loadMesh = parser.loadMesh.bind(parser);
    let pauses = Promise.resolve();
    parser.loadMesh = async (index) => {
      pauses = pauses.then(() => (slicer.isDue ? slicer.pause() : undefined));
      await pauses;
      return loadMesh(index);
    };
    return { name: "pauses" };
  });
}

/**
 * Reads a glTF model with the decoders that it declares: Draco, Basis (KTX2) and meshopt are loaded only when needed. Rejects
 * with a ViewerError when a decoder fails or does not respond, or rejects a mesh or texture as damaged or too large; with
 * AbortError; and with an Error for files that are not models.
 */
export async function openGltf(bytes: ArrayBuffer, options: OpenGltfOptions): Promise<OpenedGltf> {
  const { renderer, base, signal, prepare, variant, disposalSignal } = options;
  const summary = readModelSummary(new Uint8Array(bytes));
  const uses = (...names: readonly string[]) => names.some((name) => summary?.extensions.includes(name));
  const manager = new LoadingManager();
  const loader = new GLTFLoader(manager);
  const watchdog = new DecoderWatchdog();
  const disposers: (() => void)[] = [() => watchdog.dispose()];
  const stop = () => {
    manager.abort();
    watchdog.reject(new ViewerError("load_failed", "The load was ended."));
  };
  signal.addEventListener("abort", stop);
  let keepsDecoders = false;
  try {
    if (uses("KHR_draco_mesh_compression")) {
      const { createDracoLoader } = await watchdog.race("Draco", import("./draco.client"));
      const draco = createDracoLoader(watchdog, (summary?.bytes ?? 0) * 1.5 + MEGABYTE, manager);
      disposers.push(() => draco.dispose());
      loader.setDRACOLoader(draco);
    }
    if (uses("KHR_texture_basisu")) {
      const { createKtx2Loader } = await watchdog.race("Basis", import("./ktx2.client"));
      const ktx2 = createKtx2Loader(renderer, watchdog, manager);
      disposers.push(() => ktx2.dispose());
      loader.setKTX2Loader(ktx2);
    }
    if (uses("EXT_meshopt_compression", "KHR_meshopt_compression")) {
      const { MeshoptDecoder } = await watchdog.race(
        "meshopt",
        import("three/examples/jsm/libs/meshopt_decoder.module.js"),
      );
      await watchdog.race("meshopt", MeshoptDecoder.ready);
      loader.setMeshoptDecoder(MeshoptDecoder);
    }
    if (uses("KHR_materials_pbrSpecularGlossiness")) {
      const { readSpecularGlossiness } = await import("./specular-glossiness.client");
      readSpecularGlossiness(loader);
    }
    pauseBetweenMeshes(loader);
    prepare?.(loader);
    if (signal.aborted) throw createAbortError();
    const readModel = async () => {
      const gltf = await loader.parseAsync(bytes, base);
      const variants = new ModelVariants(gltf, watchdog.failure);
      if (variant !== null && variant !== undefined) await variants.choose(variant);
      removeInvalidTracks(gltf.animations);
      return Object.assign(gltf, { variants });
    };
    const model = await Promise.race([readModel(), watchdog.failure]);
    keepsDecoders = disposalSignal !== undefined && !disposalSignal.aborted && model.variants.hasVariants;
    return model;
  } catch (error) {
    throw signal.aborted ? createAbortError() : error;
  } finally {
    signal.removeEventListener("abort", stop);
    const dispose = () => {
      for (const disposeResource of disposers) disposeResource();
    };
    if (keepsDecoders) disposalSignal?.addEventListener("abort", dispose, { once: true });
    else dispose();
  }
}
