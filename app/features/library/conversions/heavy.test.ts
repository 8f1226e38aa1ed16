import { expect, it } from "vitest";
import { pngFile } from "../../../../tests/support/media-files";
import { isHeavyModel } from "./heavy";

/** A GLB file of so many triangles and of pictures of these widths, half as high. Only headers are there. */
function model(triangles: number, widths: readonly number[]): Blob {
  const pictures = widths.map((width) => pngFile(width, width / 2));
  let end = 0;
  const bufferViews = pictures.map(({ length: byteLength }) => {
    const byteOffset = end;
    end += byteLength;
    return { buffer: 0, byteOffset, byteLength };
  });
  const json = Buffer.from(
    JSON.stringify({
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ count: triangles * 3 }],
      images: pictures.map((_, bufferView) => ({ bufferView })),
      bufferViews,
    }),
  );
  const head = Buffer.alloc(20);
  head.write("glTF", 0);
  head.writeUInt32LE(json.length, 12);
  return new Blob([head, json, Buffer.alloc(8), ...pictures.map((picture) => new Uint8Array(picture))]);
}

it.each<[string, Blob, boolean]>([
  ["a small model", model(1000, [2048, 2048]), false],
  ["many triangles", model(300_001, []), true],
  ["a texture of 16,384 pixels", model(10, [16_384]), true],
  ["many textures", model(10, Array(14).fill(2048)), true],
  ["another file", new Blob(["no model, but longer than a header"]), false],
])("%s", async (_, file, isHeavy) => {
  expect(await isHeavyModel(file)).toBe(isHeavy);
});
