/** The used part of Khronos' validator. The package has no types. */
declare module "gltf-validator" {
  export function validateBytes(
    bytes: Uint8Array,
    options: {
      /** 0 means no limit. */
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
