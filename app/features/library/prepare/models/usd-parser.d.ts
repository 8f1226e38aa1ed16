/** The part of three's parser of binary USD layers that is used here. three's types do not describe it. */
declare module "three/examples/jsm/loaders/usd/USDCParser.js" {
  export class USDCParser {
    /** Reads a layer: the fields of each prim and property by its path. */
    parseData(buffer: ArrayBuffer): {
      readonly specsByPath: Readonly<Record<string, { readonly fields: Readonly<Record<string, unknown>> }>>;
    };
  }
}
