/** Writes splats as .splat, .ply and .ksplat files, for the viewer's tests. */
import { type Splat, writeSpz } from "../support/files/spz";

const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
const wxyz = ({ rotation: [x, y, z, w] }: Splat) => [w, x, y, z] as const;

/** The format .splat: 32 bytes for each splat, without a header. */
function writeSplat(splats: readonly Splat[]): Buffer {
  const file = Buffer.alloc(splats.length * 32);
  splats.forEach((splat, index) => {
    const base = index * 32;
    for (let axis = 0; axis < 3; axis++) {
      file.writeFloatLE(splat.position[axis] ?? 0, base + axis * 4);
      file.writeFloatLE(splat.scale[axis] ?? 0, base + 12 + axis * 4);
      file[base + 24 + axis] = byte((splat.color[axis] ?? 0) * 255);
    }
    file[base + 27] = byte(splat.opacity * 255);
    wxyz(splat).forEach((component, axis) => {
      file[base + 28 + axis] = byte(component * 128 + 128);
    });
  });
  return file;
}

/** The format .ply as training tools write it. */
function writePly(splats: readonly Splat[]): Buffer {
  const names = "x y z f_dc_0 f_dc_1 f_dc_2 opacity scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3".split(
    " ",
  );
  const header = [
    ...["ply", "format binary_little_endian 1.0", `element vertex ${splats.length}`],
    ...names.map((name) => `property float ${name}`),
    ...["end_header", ""],
  ].join("\n");
  const body = Buffer.alloc(splats.length * names.length * 4);
  splats.forEach((splat, index) => {
    const values = [
      ...splat.position,
      ...splat.color.map((value) => (value - 0.5) / 0.28209479177387814),
      Math.log(splat.opacity / (1 - splat.opacity)),
      ...splat.scale.map(Math.log),
      ...wxyz(splat),
    ];
    values.forEach((value, i) => {
      body.writeFloatLE(value, (index * names.length + i) * 4);
    });
  });
  return Buffer.concat([Buffer.from(header), body]);
}

/** The format .ksplat, version 0.1, uncompressed, in one section without buckets. */
function writeKsplat(splats: readonly Splat[]): Buffer {
  const header = Buffer.alloc(4096 + 1024);
  header[1] = 1;
  for (const offset of [4, 8]) header.writeUInt32LE(1, offset);
  for (const offset of [12, 16, 4096, 4100]) header.writeUInt32LE(splats.length, offset);
  const body = Buffer.alloc(splats.length * 44);
  splats.forEach((splat, index) => {
    const values = [...splat.position, ...splat.scale, ...wxyz(splat)];
    values.forEach((value, i) => {
      body.writeFloatLE(value, index * 44 + i * 4);
    });
    [...splat.color, splat.opacity].forEach((value, i) => {
      body[index * 44 + 40 + i] = byte(value * 255);
    });
  });
  header.writeUInt32LE(body.length, 4096 + 28);
  return Buffer.concat([header, body]);
}

/** Writers by file extension. */
export const splatWriters = { splat: writeSplat, ply: writePly, spz: writeSpz, ksplat: writeKsplat } as const;
