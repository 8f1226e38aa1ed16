/**
 * Transcodes Basis textures (ETC1S and UASTC in KTX2) for a GPU. It is a separate script because the transcoder evaluates code, which the CSP of
 * pages forbids: public/_headers gives only this file a policy that allows it. Its messages are those of three's KTX2Loader.BasisWorker (MIT).
 */
import createBasis from "three/examples/jsm/libs/basis/basis_transcoder.js";
import { type BasisTarget, chooseBasisTarget, type GraphicsFormats } from "./basis-targets";

interface Ktx2File {
  isValid(): boolean;
  isUASTC(): boolean;
  isETC1S(): boolean;
  getWidth(): number;
  getHeight(): number;
  getLayers(): number;
  getLevels(): number;
  getFaces(): number;
  getHasAlpha(): boolean;
  getDFDFlags(): number;
  startTranscoding(): boolean;
  getImageLevelInfo(
    level: number,
    layer: number,
    face: number,
  ): { origWidth: number; origHeight: number; width: number; height: number };
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
  transcodeImage(
    to: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    unused: number,
    channel0: number,
    channel1: number,
  ): boolean;
  close(): void;
  delete(): void;
}

interface Basis {
  initializeBasis(): void;
  readonly KTX2File: new (bytes: Uint8Array) => Ktx2File;
}

type Message =
  | { readonly type: "init"; readonly config: GraphicsFormats; readonly transcoderBinary: ArrayBuffer }
  | { readonly type: "transcode"; readonly id?: number; readonly buffer: ArrayBuffer };

const scope = self as unknown as {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: "message", listen: (event: MessageEvent<Message>) => void): void;
};

let formats: GraphicsFormats = {};
let basis: Promise<Basis> | null = null;

async function start(wasmBinary: ArrayBuffer): Promise<Basis> {
  const transcoder = (await createBasis({ wasmBinary })) as Basis;
  transcoder.initializeBasis();
  return transcoder;
}

/** Transcodes all levels of a texture. Throws for other files and for damaged textures. */
function transcode({ KTX2File }: Basis, bytes: Uint8Array) {
  const file = new KTX2File(bytes);
  try {
    if (!file.isValid()) throw new Error("It is not a KTX2 texture.");
    if (!file.isUASTC() && !file.isETC1S()) throw new Error("The texture is neither UASTC nor ETC1S.");
    const [width, height, hasAlpha] = [file.getWidth(), file.getHeight(), file.getHasAlpha()];
    const target = chooseBasisTarget({ isUastc: file.isUASTC(), width, height, hasAlpha }, formats);
    if (!width || !height || !file.getLevels()) throw new Error("The texture has no size.");
    // glTF allows one face and one layer (KHR_texture_basisu). More of them would multiply the memory.
    if (file.getFaces() !== 1 || file.getLayers() > 1) throw new Error("The texture has several images.");
    if (!file.startTranscoding()) throw new Error("The texture is damaged.");
    const format = { format: target.engineFormat, type: target.engineType };
    const faces = [{ width, height, ...format, mipmaps: transcodeLevels(file, target) }];
    return { faces, width, height, hasAlpha, dfdFlags: file.getDFDFlags(), ...format };
  } finally {
    file.close();
    file.delete();
  }
}

function transcodeLevels(file: Ktx2File, { transcoderFormat }: BasisTarget) {
  const levels = file.getLevels();
  return Array.from({ length: levels }, (_, level) => {
    const data = new Uint8Array(file.getImageTranscodedSizeInBytes(level, 0, 0, transcoderFormat));
    if (!file.transcodeImage(data, level, 0, 0, transcoderFormat, 0, -1, -1))
      throw new Error("A level of the texture is damaged.");
    const { origWidth, origHeight, width, height } = file.getImageLevelInfo(level, 0, 0);
    // Sizes that are not multiples of four are padded in textures with one level. GPUs reject padded sizes in textures with
    // several levels (three.js #25908).
    const size = levels > 1 ? { width: origWidth, height: origHeight } : { width, height };
    return { ...size, data };
  });
}

scope.addEventListener("message", async ({ data: message }) => {
  if (message.type === "init") {
    formats = message.config;
    basis = start(message.transcoderBinary);
    // The error is reported in response to the next message.
    basis.catch(() => {});
    return;
  }
  const { id } = message;
  try {
    if (!basis) throw new Error("The transcoder was not started.");
    const data = transcode(await basis, new Uint8Array(message.buffer));
    const buffers = data.faces.flatMap(({ mipmaps }) => mipmaps.map((level) => level.data.buffer));
    scope.postMessage({ type: "transcode", id, data }, [...new Set(buffers)]);
  } catch (error) {
    scope.postMessage({ type: "error", id, error: (error as Error).message, data: {} });
  }
});
