/** Scripts of three that have no types. */
declare module "three/examples/jsm/libs/basis/basis_transcoder.js" {
  /** Starts the Basis transcoder. It evaluates code. */
  export default function createBasis(options: { wasmBinary: ArrayBuffer }): Promise<unknown>;
}
declare module "three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js" {
  /** Starts the decoder of Draco. */
  export default function createDecoder(options: { wasmBinary: ArrayBuffer }): Promise<unknown>;
}
declare module "*?url" {
  const url: string;
  export default url;
}
