import type { Conversion, Converter } from "./conversion";
import { runWorker } from "./run-worker";
import type { SplatRequest, SplatResult } from "./splat.worker.client";

const SPZ = "application/x-gaussian-spz";
/** Bytes of a splat in graphics memory. */
const GRAPHICS_BYTES = 40;

/**
 * Converts splats to SPZ. Small splats are merged until phones can show the file, and a large file gets a preview of at most 1.5 MB. The files keep
 * their axes, and their metadata states the upward axis.
 */
export const convertSplat: Converter = async (input): Promise<Conversion> => {
  const { file: original, quality } = input;
  const { display, preview, before, after } = await runWorker<SplatResult>(
    () => new Worker(new URL("./splat.worker.client.ts", import.meta.url), { type: "module" }),
    { file: original, quality } satisfies SplatRequest,
    input,
  );
  const file = { kind: "splat", mimeType: SPZ } as const;
  return {
    files: [
      { ...file, role: "display", name: "splat.spz", blob: display },
      ...(preview ? [{ ...file, role: "preview" as const, name: "preview.spz", blob: preview }] : []),
    ],
    before: { bytes: original.size, splats: before, graphicsBytes: before * GRAPHICS_BYTES },
    after: { bytes: display.size, splats: after, graphicsBytes: after * GRAPHICS_BYTES },
    losses: [],
  };
};
