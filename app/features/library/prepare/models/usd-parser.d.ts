/** The used part of three's parser for binary USD layers, for which three has no types. */
declare module "three/examples/jsm/loaders/usd/USDCParser.js" {
  export class USDCParser {
    /** Reads a layer: the fields of each prim and property by its path. */
    parseData(buffer: ArrayBuffer): {
      readonly specsByPath: Readonly<Record<string, { readonly fields: Readonly<Record<string, unknown>> }>>;
    };
  }
}
