import type { CompressedTexture, LoadingManager, WebGLRenderer } from "three";
import wasmUrl from "three/examples/jsm/libs/basis/basis_transcoder.wasm?url";
import { KTX2Loader } from "three/examples/jsm/loaders/KTX2Loader.js";
import type { WorkerPool } from "three/examples/jsm/utils/WorkerPool.js";
import { hasEmptyLevel, ktx2Head } from "~/domain/library/formats/ktx2-head";
import { ViewerError } from "../core/viewer-error";
import type { DecoderWatchdog } from "../shared/decoder-watchdog";

/** Maximum number of transcoders that run at once. Each keeps a texture in memory. */
const WORKERS = 2;
/** Maximum number of bytes of all levels of a texture without supercompression. */
const UNPACKED_MAX = 512 * 1024 * 1024;

/** Private members of KTX2Loader that this subclass uses. */
interface LoaderInternals {
  transcoderPending: Promise<void> | null;
  readonly workerConfig: unknown;
  readonly workerPool: WorkerPool;
}

/**
 * Loads KTX2 textures with the transcoder in a separate script (basis-worker.client.ts), because three evaluates its own, which
 * the CSP of pages forbids.
 */
class SeparateKtx2Loader extends KTX2Loader {
  constructor(
    private readonly watchdog: DecoderWatchdog,
    private readonly largestSide: number,
    manager?: LoadingManager,
  ) {
    super(manager);
    this.setWorkerLimit(WORKERS);
  }

  override init(): Promise<void> {
    const internals = this as unknown as LoaderInternals;
    internals.transcoderPending ??= this.watchdog.watch("Basis", this.fetchTranscoder(internals));
    return internals.transcoderPending;
  }

  override parse(
    buffer: ArrayBuffer,
    onLoad: (texture: CompressedTexture) => void,
    onError: (error: unknown) => void = () => {},
  ): void {
    const head = ktx2Head(new Uint8Array(buffer));
    if (head && (Math.max(head.width, head.height) > this.largestSide || head.unpackedBytes > UNPACKED_MAX)) {
      const message = `A texture of ${head.width} × ${head.height} pixels is too large for this device.`;
      this.watchdog.reject(new ViewerError("too_large", message));
      onError(new Error(message));
      return;
    }
    const fail = (cause: unknown) => {
      // Without this error, GLTFLoader would silently omit the texture, and the surface would be white.
      this.watchdog.reject(new ViewerError("load_failed", "A KTX2 texture is damaged.", { cause }));
      onError(cause);
    };
    if (head && hasEmptyLevel(new Uint8Array(buffer))) {
      fail(new Error("The largest level of the texture holds only zeros."));
      return;
    }
    const parsed = new Promise<CompressedTexture>((resolve, reject) => super.parse(buffer, resolve, reject));
    this.watchdog.watch("Basis", parsed).then(onLoad, fail);
  }

  private async fetchTranscoder({ workerPool, workerConfig }: LoaderInternals): Promise<void> {
    const response = await fetch(wasmUrl);
    if (!response.ok) throw new Error(`The server returned ${response.status} for the Basis transcoder.`);
    const binary = await response.arrayBuffer();
    workerPool.setWorkerCreator(() => {
      const worker = new Worker(new URL("./basis-worker.client.ts", import.meta.url));
      worker.addEventListener("error", (event) => this.watchdog.fail("Basis", event.message));
      const transcoderBinary = binary.slice(0);
      worker.postMessage({ type: "init", config: workerConfig, transcoderBinary }, [transcoderBinary]);
      return worker;
    });
  }
}

/** Creates a loader of KTX2 textures for the formats of a renderer's GPU. The caller disposes it. */
export const createKtx2Loader = (
  renderer: WebGLRenderer,
  watchdog: DecoderWatchdog,
  manager?: LoadingManager,
): KTX2Loader =>
  new SeparateKtx2Loader(watchdog, renderer.capabilities.maxTextureSize, manager).detectSupport(renderer);
