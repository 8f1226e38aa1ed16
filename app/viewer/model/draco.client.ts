import type { BufferGeometry, LoadingManager } from "three";
import wasmUrl from "three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url";
import wrapperUrl from "three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url";
import { DRACOLoader } from "three/examples/jsm/loaders/DRACOLoader.js";
import { dracoBytes } from "~/domain/library/formats/draco-bytes";
import { ViewerError } from "../core/viewer-error";
import type { DecoderWatchdog } from "../shared/decoder-watchdog";

/** Maximum number of decoders that run at once. Each keeps a mesh in memory. */
const WORKERS = 2;

/** A Draco loader that decodes at most a given number of bytes. */
class BoundedDracoLoader extends DRACOLoader {
  /** Number of bytes that may still be decoded. */
  private bytesLeft: number;

  /** @param maxBytes maximum number of bytes of all decoded meshes together */
  constructor(
    private readonly watchdog: DecoderWatchdog,
    maxBytes: number,
    manager?: LoadingManager,
  ) {
    super(manager);
    this.bytesLeft = maxBytes;
    this.setDecoderPath({ js: wrapperUrl, wasm: wasmUrl } as unknown as string);
    this.setWorkerLimit(WORKERS);
  }

  decodeGeometry(buffer: ArrayBuffer, config: unknown): Promise<BufferGeometry> {
    const decoder = DRACOLoader.prototype as unknown as {
      decodeGeometry(buffer: ArrayBuffer, config: unknown): Promise<BufferGeometry>;
    };
    // A mesh that was decoded before has been transferred to a worker, so its buffer is empty. The loader returns it from its cache.
    const needed = buffer.byteLength > 0 ? dracoBytes(new Uint8Array(buffer)) : 0;
    if (needed === null)
      return this.rejectModel("load_failed", "A Draco mesh has another version or type than glTF's.");
    this.bytesLeft -= needed;
    if (this.bytesLeft < 0)
      return this.rejectModel("too_large", "The meshes are larger than the model's JSON says.");
    return this.watchdog.watch("Draco", decoder.decodeGeometry.call(this, buffer, config));
  }

  /** Ends the load of the whole model with an error. */
  private rejectModel(code: "load_failed" | "too_large", message: string): Promise<never> {
    const error = new ViewerError(code, message);
    this.watchdog.reject(error);
    return Promise.reject(error);
  }
}

/**
 * Creates a loader of Draco meshes. Dispose it after the load.
 * @param maxBytes maximum number of bytes of all decoded meshes together
 */
export const createDracoLoader = (
  watchdog: DecoderWatchdog,
  maxBytes: number,
  manager?: LoadingManager,
): DRACOLoader => new BoundedDracoLoader(watchdog, maxBytes, manager);
