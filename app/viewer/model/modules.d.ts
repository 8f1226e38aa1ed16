/** Types of modules that have none: scripts of three, and URLs of files. */
declare module "three/examples/jsm/libs/basis/basis_transcoder.js" {
  /** Starts the Basis transcoder. It evaluates code. */
  export default function createBasis(options: { wasmBinary: ArrayBuffer }): Promise<unknown>;
}
declare module "three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js" {
  /** Starts the Draco decoder. */
  export default function createDecoder(options: { wasmBinary: ArrayBuffer }): Promise<unknown>;
}
declare module "*?url" {
  const url: string;
  export default url;
}
