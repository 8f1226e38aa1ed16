/** The part of Khronos' validator that is used here; the package has no types. */
declare module "gltf-validator" {
  export function validateBytes(
    bytes: Uint8Array,
    options: {
      /** 0 for all. */
      readonly maxIssues?: number;
      readonly onlyIssues?: readonly string[];
      readonly writeTimestamp?: boolean;
    },
  ): Promise<{
    readonly issues: {
      readonly messages: readonly {
        readonly code: string;
        readonly severity: number;
        readonly pointer?: string;
      }[];
    };
  }>;
}
