import wasmUrl from "three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url";
import createDecoder from "three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js";

/**
 * Loads the Draco decoder for glTF-Transform. The viewer uses the same WebAssembly file.
 * @returns the decoder module. Rejects with TypeError when the file cannot be fetched.
 */
export async function loadDracoDecoder(): Promise<unknown> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new TypeError(`The Draco decoder cannot be fetched: ${response.status}`);
  return createDecoder({ wasmBinary: await response.arrayBuffer() });
}
