/** The used part of libheif-js. The package has no types for its bundle. */
declare module "libheif-js/libheif-wasm/libheif-bundle.mjs" {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    /** Writes RGBA into the image data and passes it to `done`; null if the image cannot be decoded. */
    display(imageData: ImageData, done: (written: ImageData | null) => void): void;
    free(): void;
  }
  interface Libheif {
    readonly HeifDecoder: new () => { decode(file: Uint8Array): readonly HeifImage[] };
  }
  /** Starts the decoder. The module contains the WebAssembly code, so nothing is fetched. */
  export default function start(): Libheif;
}
