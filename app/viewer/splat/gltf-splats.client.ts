/**
 * Converts the Gaussian splats of a GLB file to a PLY file with floats, which Spark, the library that draws splats, reads. The transforms of nodes
 * are applied to the splats.
 */
import { DataUtils, Matrix3, Matrix4, Quaternion, Vector3 } from "three";
import {
  type NodeTransform,
  type OpenedGlb,
  readGltfSplats,
  SPLAT_COMPONENT_BYTES,
  type SplatAttributes,
  type SplatField,
  type SplatPart,
} from "~/domain/library/formats/gltf-splats";
import {
  readSpzFileHeader,
  readSpzHeader,
  SPZ_HEADER,
  type SpzHeader,
  type SpzStream,
  spzBytes,
} from "~/domain/library/formats/spz";
import type { TimeSlicer } from "../core/time-slicer";
import { harmonicsRotation } from "./harmonics";
import { transformEllipsoid } from "./transform-ellipsoid.client";

/** Value of the first spherical harmonic. */
const SH_C0 = 0.28209479177387814;
/** Number of coefficients up to each degree, without the one of degree 0. */
const REST_COEFFICIENTS = [0, 3, 8, 15];
/** Number of splats between two checks of the clock. */
const SPLATS_PER_CHECK = 4096;
/** Limits of opacities and scales, because PLY stores functions of them that are infinite at 0 and 1. */
const OPACITY_MIN = 1e-4;
const SCALE_MIN = 1e-10;
/** Logit of the opacity, and logarithm of the scale, of an invisible splat. */
const INVISIBLE = -100;
/** Factor with which SPZ stores the coefficient of degree 0 (load-spz.cc, colorScale). */
const SPZ_COLOR_SCALE = 0.15;
/** Rotation from the axes of SPZ to those of glTF, for files whose splats were converted (`isTurned`). */
const SPZ_TO_GLTF = new Matrix4().makeRotationY(Math.PI);

interface Splat {
  readonly position: Vector3;
  /** Standard deviations. */
  readonly scale: Vector3;
  readonly rotation: Quaternion;
  /** Opacity, 0…1. */
  opacity: number;
  /** Coefficients of the spherical harmonics from degree 0 on, for three colours each. */
  readonly harmonics: Float32Array;
}

/** A list of splats. */
interface SplatReader {
  /** Degree of the spherical harmonics, 0 to 3. */
  readonly degree: number;
  read(index: number, splat: Splat): void;
}

/**
 * Converts the splats of a GLB file to PLY, or returns the embedded SPZ file when no transform is needed.
 * @param unpackSpz unpacks an SPZ file in memory to the content of versions 1 to 3
 * @throws Error for damaged and unsupported files; AbortError when the signal of `slicer` is aborted
 */
export async function convertGltfSplats(
  { json, binary }: OpenedGlb,
  unpackSpz: (file: Uint8Array) => Promise<Uint8Array>,
  slicer: TimeSlicer,
): Promise<{ readonly ply: Uint8Array<ArrayBuffer> } | { readonly spz: Uint8Array }> {
  const content = readGltfSplats(json, binary.length);
  if (typeof content === "string") throw new Error(`The splats of the GLB file cannot be shown: ${content}.`);
  const [singlePart] = content.parts;
  if (
    content.parts.length === 1 &&
    singlePart &&
    "spz" in singlePart.data &&
    singlePart.nodes.length === 0 &&
    !singlePart.isLinear
  ) {
    // A capture has no front, so the rotation by half a turn about y is omitted.
    return { spz: await extractSpz(singlePart.data.spz, singlePart.count, binary) };
  }
  const readers: { part: SplatPart; reader: SplatReader }[] = [];
  for (const part of content.parts) {
    const reader =
      "spz" in part.data
        ? spzReader(await unpackSpz(await extractSpz(part.data.spz, part.count, binary)))
        : fieldReader(part.data.fields, part.count, binary);
    readers.push({ part, reader });
  }
  const degree = Math.max(...readers.map(({ reader, part }) => (part.isLinear ? 0 : reader.degree)));
  const writer = new PlyWriter(content.count, degree);
  for (const { part, reader } of readers) await writePart(writer, part, reader, slicer);
  if (writer.finiteCount === 0) throw new Error("Every splat has a number that is not finite.");
  return { ply: writer.file };
}

/**
 * Returns the SPZ file of a part.
 * @throws Error when its number of splats differs from the one in the GLB's JSON
 */
async function extractSpz(
  { offset, length }: { readonly offset: number; readonly length: number },
  count: number,
  binary: Uint8Array,
): Promise<Uint8Array> {
  const file = binary.subarray(offset, offset + length);
  const header = await readSpzFileHeader(file);
  if (header?.count !== count)
    throw new Error("The SPZ file in the GLB file has another number of splats than the GLB file declares.");
  return file;
}

async function writePart(
  writer: PlyWriter,
  part: SplatPart,
  reader: SplatReader,
  slicer: TimeSlicer,
): Promise<void> {
  const transform = createTransform(partMatrix(part));
  const degree = part.isLinear ? 0 : reader.degree;
  const splat: Splat = {
    position: new Vector3(),
    scale: new Vector3(),
    rotation: new Quaternion(),
    opacity: 0,
    harmonics: new Float32Array(48),
  };
  for (let index = 0; index < part.count; index++) {
    reader.read(index, splat);
    if (part.isLinear) encodeColor(splat.harmonics);
    transform(splat, degree);
    writer.add(splat, degree);
    if (index % SPLATS_PER_CHECK === 0 && slicer.isDue) await slicer.pause();
  }
}

/** Converts linear colours to sRGB (IEC 61966-2-1). */
function encodeColor(harmonics: Float32Array): void {
  for (let channel = 0; channel < 3; channel++) {
    const linear = Math.max(0, (harmonics[channel] ?? 0) * SH_C0 + 0.5);
    const encoded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
    harmonics[channel] = (encoded - 0.5) / SH_C0;
  }
}

function partMatrix({ nodes, data }: SplatPart): Matrix4 {
  const matrix = new Matrix4();
  for (const node of nodes) matrix.multiply(nodeMatrix(node));
  if ("spz" in data && data.isTurned) matrix.multiply(SPZ_TO_GLTF);
  return matrix;
}

function nodeMatrix(node: NodeTransform): Matrix4 {
  if ("matrix" in node) return new Matrix4().fromArray([...node.matrix]);
  const [x = 0, y = 0, z = 0, w = 1] = node.rotation;
  return new Matrix4().compose(
    new Vector3().fromArray([...node.translation]),
    new Quaternion(x, y, z, w).normalize(),
    new Vector3().fromArray([...node.scale]),
  );
}

/** Returns a function that applies a matrix to a splat: to its position, its ellipsoid and its spherical harmonics. */
function createTransform(matrix: Matrix4): (splat: Splat, degree: number) => void {
  if (matrix.equals(new Matrix4())) return () => {};
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  matrix.extractBasis(x, y, z);
  const sizes = [x.length(), y.length(), z.length()];
  const [size = 1] = sizes;
  const rotation = new Matrix4().makeBasis(x.normalize(), y.normalize(), z.normalize());
  const isSimilar =
    sizes.every((side) => Math.abs(side - size) < 1e-4 * size) &&
    Math.max(Math.abs(x.dot(y)), Math.abs(y.dot(z)), Math.abs(z.dot(x))) < 1e-4 &&
    rotation.determinant() > 0;
  const quaternion = new Quaternion().setFromRotationMatrix(rotation);
  const linear = new Matrix3().setFromMatrix4(matrix);
  const inverseRotation = rotation.clone().invert();
  const bandMatrices = harmonicsRotation((direction) => {
    const local = new Vector3(...direction).applyMatrix4(inverseRotation).normalize();
    return [local.x, local.y, local.z];
  });
  return (splat, degree) => {
    splat.position.applyMatrix4(matrix);
    if (isSimilar) {
      splat.scale.multiplyScalar(size);
      splat.rotation.premultiply(quaternion);
    } else transformEllipsoid(linear, splat.rotation, splat.scale);
    for (let order = 1; order <= degree; order++)
      transformBand(splat.harmonics, order * order * 3, bandMatrices[order - 1] ?? []);
  };
}

const bandCopy = new Float32Array(21);

/** Applies a matrix to the coefficients of one degree of the spherical harmonics. */
function transformBand(harmonics: Float32Array, start: number, matrix: readonly number[][]): void {
  const { length } = matrix;
  bandCopy.set(harmonics.subarray(start, start + length * 3));
  for (let row = 0; row < length; row++)
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (let column = 0; column < length; column++)
        sum += (matrix[row]?.[column] ?? 0) * (bandCopy[column * 3 + channel] ?? 0);
      harmonics[start + row * 3 + channel] = sum;
    }
}

type ReadNumber = (offset: number) => number;

/** Returns a function that reads one number of a component type at a byte offset (glTF 2.0 §3.6.2.2; normalized integers §3.11). */
function numberReader(view: DataView, type: number, isNormalized: boolean): ReadNumber {
  const unitFactor = (max: number) => (isNormalized ? 1 / max : 1);
  const limitNormalized = (value: number) => (isNormalized ? Math.max(-1, value) : value);
  switch (type) {
    case 5120:
      return (offset) => limitNormalized(view.getInt8(offset) * unitFactor(127));
    case 5121:
      return (offset) => view.getUint8(offset) * unitFactor(255);
    case 5122:
      return (offset) => limitNormalized(view.getInt16(offset, true) * unitFactor(32_767));
    case 5123:
      return (offset) => view.getUint16(offset, true) * unitFactor(65_535);
    default:
      return (offset) => view.getFloat32(offset, true);
  }
}

/** Reads splats from accessors. */
function fieldReader(fields: SplatAttributes, count: number, binary: Uint8Array): SplatReader {
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const reader = ({ offset, stride, type, isNormalized }: SplatField) => {
    const read = numberReader(view, type, isNormalized);
    const bytes = SPLAT_COMPONENT_BYTES[type] ?? 4;
    return (index: number, component: number) => read(offset + index * stride + component * bytes);
  };
  const position = reader(fields.position);
  const rotation = reader(fields.rotation);
  const scale = reader(fields.scale);
  const isLogarithmic = hasNegative(scale, count);
  const size = (index: number, axis: number) =>
    isLogarithmic ? Math.exp(scale(index, axis)) : scale(index, axis);
  const opacity = fields.opacity && reader(fields.opacity);
  const color = fields.color && reader(fields.color);
  const harmonics = fields.harmonics.map(reader);
  return {
    degree: Math.max(0, REST_COEFFICIENTS.indexOf(harmonics.length - 1)),
    read(index, splat) {
      splat.position.set(position(index, 0), position(index, 1), position(index, 2));
      splat.scale.set(size(index, 0), size(index, 1), size(index, 2));
      splat.rotation.set(rotation(index, 0), rotation(index, 1), rotation(index, 2), rotation(index, 3));
      splat.rotation.normalize();
      splat.opacity = opacity?.(index, 0) ?? color?.(index, 3) ?? 1;
      for (let channel = 0; channel < 3; channel++)
        if (color && harmonics.length === 0) splat.harmonics[channel] = (color(index, channel) - 0.5) / SH_C0;
        else
          harmonics.forEach((read, i) => {
            splat.harmonics[i * 3 + channel] = read(index, channel);
          });
    },
  };
}

/** Whether the scales are logarithms, as in drafts of the extension. Standard deviations are never negative. */
function hasNegative(scale: (index: number, axis: number) => number, count: number): boolean {
  for (let index = 0; index < count; index++)
    for (let axis = 0; axis < 3; axis++) if (scale(index, axis) < 0) return true;
  return false;
}

/** Reads splats from the content of an SPZ file of versions 1 to 3 (github.com/nianticlabs/spz, load-spz.cc). */
function spzReader(content: Uint8Array): SplatReader {
  const header = readSpzHeader(content);
  if (!header || content.length < spzBytes(header))
    throw new Error("The SPZ file in the GLB file is damaged.");
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const starts = streamOffsets(header);
  const { version, degree, fractionBits } = header;
  const coefficients = (REST_COEFFICIENTS[degree] ?? 0) * 3;
  const coordinate = (offset: number) =>
    version === 1
      ? DataUtils.fromHalfFloat(view.getUint16(starts.positions + offset * 2, true))
      : ((view.getUint8(starts.positions + offset * 3 + 2) << 24) |
          (view.getUint16(starts.positions + offset * 3, true) << 8)) /
        2 ** (8 + fractionBits);
  const byte = (offset: number) => content[offset] ?? 0;
  return {
    degree,
    read(index, splat) {
      const offset = index * 3;
      splat.position.set(coordinate(offset), coordinate(offset + 1), coordinate(offset + 2));
      splat.opacity = byte(starts.alphas + index) / 255;
      const [x, y, z] = [0, 1, 2].map((axis) => Math.exp(byte(starts.scales + offset + axis) / 16 - 10));
      splat.scale.set(x ?? 0, y ?? 0, z ?? 0);
      if (version < 3) readRotation(splat.rotation, content, starts.rotations + offset);
      else unpackRotation(splat.rotation, view.getUint32(starts.rotations + index * 4, true));
      for (let channel = 0; channel < 3; channel++)
        splat.harmonics[channel] = (byte(starts.colors + offset + channel) / 255 - 0.5) / SPZ_COLOR_SCALE;
      for (let coefficient = 0; coefficient < coefficients; coefficient++)
        splat.harmonics[3 + coefficient] =
          (byte(starts.harmonics + index * coefficients + coefficient) - 128) / 128;
    },
  };
}

/** Returns the offsets of the properties in an SPZ file's content. */
function streamOffsets({ streams }: SpzHeader): Readonly<Record<SpzStream, number>> {
  const starts = { positions: 0, alphas: 0, colors: 0, scales: 0, rotations: 0, harmonics: 0 };
  let offset = SPZ_HEADER;
  for (const [name, bytes] of streams) {
    starts[name] = offset;
    offset += bytes;
  }
  return starts;
}

/** Versions 1 and 2: one byte for each of x, y and z. */
function readRotation(rotation: Quaternion, content: Uint8Array, offset: number): void {
  const [x = 0, y = 0, z = 0] = [0, 1, 2].map((axis) => (content[offset + axis] ?? 0) / 127.5 - 1);
  rotation.set(x, y, z, Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z))).normalize();
}

/** Version 3: the index of the largest component, and the others in ten bits each. */
function unpackRotation(rotation: Quaternion, packed: number): void {
  const parts = [0, 0, 0, 0];
  const largest = packed >>> 30;
  let remainingBits = packed;
  for (let index = 3; index >= 0; index--)
    if (index !== largest) {
      parts[index] = ((remainingBits & 511) / 511) * Math.SQRT1_2 * (remainingBits & 512 ? -1 : 1);
      remainingBits >>>= 10;
    }
  parts[largest] = Math.sqrt(Math.max(0, 1 - parts.reduce((sum, part) => sum + part * part, 0)));
  rotation.fromArray(parts).normalize();
}

/** Writes a PLY file in the format of trained captures. Splats with non-finite numbers get no size, so they are invisible. */
class PlyWriter {
  /** Number of splats written so far whose numbers are all finite. */
  finiteCount = 0;
  readonly file: Uint8Array<ArrayBuffer>;
  private readonly rows: Float32Array<ArrayBuffer>;
  private readonly restCount: number;
  private readonly width: number;
  private index = 0;

  constructor(count: number, degree: number) {
    this.restCount = REST_COEFFICIENTS[degree] ?? 0;
    const names = [
      ...["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity"],
      ...["scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"],
      ...Array.from({ length: this.restCount * 3 }, (_, index) => `f_rest_${index}`),
    ];
    const properties = names.map((name) => `property float ${name}\n`).join("");
    const start = `ply\nformat binary_little_endian 1.0\nelement vertex ${count}\n${properties}`;
    const end = "end_header\n";
    // A comment pads the header to a multiple of four bytes.
    const comment = `comment ${"-".repeat((4 - ((start.length + 9 + end.length) % 4)) % 4)}\n`;
    const header = new TextEncoder().encode(start + comment + end);
    this.width = names.length;
    this.file = new Uint8Array(header.length + count * this.width * 4);
    this.file.set(header);
    this.rows = new Float32Array(this.file.buffer, header.length);
  }

  add({ position, scale, rotation, opacity, harmonics }: Splat, degree: number): void {
    const start = this.index * this.width;
    const row = this.rows.subarray(start, start + this.width);
    const visible = Math.min(1 - OPACITY_MIN, Math.max(OPACITY_MIN, opacity));
    position.toArray(row, 0);
    row.set(harmonics.subarray(0, 3), 3);
    row[6] = Math.log(visible / (1 - visible));
    for (let axis = 0; axis < 3; axis++)
      row[7 + axis] = Math.log(Math.max(SCALE_MIN, scale.getComponent(axis)));
    row[10] = rotation.w;
    row[11] = rotation.x;
    row[12] = rotation.y;
    row[13] = rotation.z;
    const coefficientCount = REST_COEFFICIENTS[degree] ?? 0;
    for (let channel = 0; channel < 3; channel++)
      for (let index = 0; index < coefficientCount; index++)
        row[14 + channel * this.restCount + index] = harmonics[3 + index * 3 + channel] ?? 0;
    this.index++;
    if (row.every(Number.isFinite)) this.finiteCount++;
    else {
      row.fill(0);
      row.fill(INVISIBLE, 6, 10);
      row[10] = 1;
    }
  }
}
