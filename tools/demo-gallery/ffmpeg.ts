import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Encodes `input` with the ffmpeg on the path.
 * @param extension extension of the output file, which decides the container
 * @throws Error when ffmpeg is missing, or with its message when it fails
 */
export function ffmpeg(args: readonly string[], input: Uint8Array, extension: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "demo-gallery-"));
  try {
    const file = join(folder, `out.${extension}`);
    // These options omit the encoder's name and the date, so that the same input gives the same file.
    const reproducibleOptions = [
      "-map_metadata",
      "-1",
      "-fflags",
      "+bitexact",
      "-flags:v",
      "+bitexact",
      "-flags:a",
      "+bitexact",
    ];
    const { status, stderr, error } = spawnSync(
      "ffmpeg",
      ["-v", "error", ...args, ...reproducibleOptions, file],
      {
        input,
      },
    );
    if (error) throw error;
    if (status !== 0) throw new Error(`ffmpeg failed: ${stderr}`);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
