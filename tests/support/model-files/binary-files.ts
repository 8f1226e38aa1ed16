/** Creates models in binary formats: STL, LAS, LAZ, and the packages 3MF and USDZ. */
import { concatBytes, u16le, u32le, zeros } from "../files/media-files";
import { zipFile } from "../files/zip-file";
import { usdaFile } from "./text-files";
import { createBox, FACE_UV, type Triple } from "./textured-box";

const encode = (text: string) => new TextEncoder().encode(text);
/** Length of the header of a LAS 1.2 file, in bytes. */
const LAS_HEADER_BYTES = 227;
const float64 = (value: number) => new Uint8Array(Float64Array.of(value).buffer);

/**
 * A binary STL of a box.
 * @param repeat number of copies of the box's triangles
 */
export function binaryStl(size: Triple, repeat = 1, spoil?: (view: DataView) => void): Uint8Array {
  const { corners, triangles } = createBox(size);
  const bytes = new Uint8Array(84 + triangles.length * 50 * repeat);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, triangles.length * repeat, true);
  for (const [i, triangle] of triangles.entries())
    for (const [j, corner] of triangle.entries())
      corners[corner]?.forEach((value, axis) => {
        view.setFloat32(84 + i * 50 + 12 + j * 12 + axis * 4, value, true);
      });
  const length = triangles.length * 50;
  for (let i = 1; i < repeat; i++) bytes.copyWithin(84 + i * length, 84, 84 + length);
  spoil?.(view);
  return bytes;
}

/** A file of relationships in an OPC package. */
const createRelationships = (target: string, type: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="${target}" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/${type}"/></Relationships>`;

/** Files with which every 3MF package begins. */
const packageStart = [
  { name: "[Content_Types].xml", bytes: encode("<Types/>") },
  { name: "_rels/.rels", bytes: encode(createRelationships("/3D/3dmodel.model", "3dmodel")) },
];

/** The mesh of a box in a 3MF model. */
function meshOf(size: Triple, properties = ""): string {
  const { corners, triangles } = createBox(size);
  return `<mesh>
<vertices>${corners.map(([x, y, z]) => `<vertex x="${x}" y="${y}" z="${z}"/>`).join("")}</vertices>
<triangles>${triangles.map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"${properties}/>`).join("")}</triangles>
</mesh>`;
}

/** A 3MF package with a texture: one object that is built twice. In millimetres by default, z up. */
export function threeMfFile(
  size: Triple,
  apart: number,
  texture: Uint8Array,
  unit = "millimeter",
  change: (model: string) => string = (model) => model,
): Uint8Array {
  const model = `<?xml version="1.0" encoding="UTF-8"?>
<model unit="${unit}" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" xmlns:m="http://schemas.microsoft.com/3dmanufacturing/material/2015/02">
<resources>
<m:texture2d id="1" path="/3D/Textures/paint.png" contenttype="image/png"/>
<m:texture2dgroup id="2" texid="1">${FACE_UV.map(([u, v]) => `<m:tex2coord u="${u}" v="${v}"/>`).join("")}</m:texture2dgroup>
<object id="3" name="box" type="model">${meshOf(size, ' pid="2" p1="0" p2="1" p3="2"')}</object>
</resources>
<build><item objectid="3"/><item objectid="3" transform="1 0 0 0 1 0 0 0 1 ${apart} 0 0"/></build>
</model>`;
  return zipFile([
    ...packageStart,
    { name: "3D/3dmodel.model", bytes: encode(change(model)) },
    {
      name: "3D/_rels/3dmodel.model.rels",
      bytes: encode(createRelationships("/3D/Textures/paint.png", "3dtexture")),
    },
    { name: "3D/Textures/paint.png", bytes: texture },
  ]);
}

/** A 3MF package with one model file for each box. Each file has an object with the id 1. In millimetres, z up, at the same place. */
export function threeMfWithParts(sizes: readonly Triple[]): Uint8Array {
  const path = (index: number) => `3D/Objects/part${index}.model`;
  const model = (content: string) =>
    encode(
      `<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06">${content}</model>`,
    );
  const items = sizes.map((_, index) => `<item objectid="1" p:path="/${path(index)}"/>`).join("");
  return zipFile([
    ...packageStart,
    { name: "3D/3dmodel.model", bytes: model(`<resources/><build>${items}</build>`) },
    ...sizes.map((size, index) => ({
      name: path(index),
      bytes: model(`<resources><object id="1">${meshOf(size)}</object></resources><build/>`),
    })),
  ]);
}

/** A USDZ package: a text layer and its texture. */
export const usdzFile = (size: Triple, texture: Uint8Array): Uint8Array =>
  zipFile([
    { name: "scene.usda", bytes: usdaFile(size) },
    { name: "textures/paint.png", bytes: texture },
  ]);

/** A USDZ package in centimetres, z up: a box in a layer of its own that is referenced twice. `apart` is the distance along x. */
export function usdzOfTwo(size: Triple, apart: number, texture: Uint8Array): Uint8Array {
  const createPrim = (name: string, x: number) => `    def Xform "${name}" (
        prepend references = @./box.usda@
    )
    {
        double3 xformOp:translate = (${x}, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }`;
  const scene = `#usda 1.0
(
    defaultPrim = "Scene"
    metersPerUnit = 0.01
    upAxis = "Z"
)

def Xform "Scene"
{
${createPrim("left", 0)}

${createPrim("right", apart)}
}
`;
  return zipFile([
    { name: "scene.usda", bytes: encode(scene) },
    { name: "box.usda", bytes: usdaFile(size) },
    { name: "textures/paint.png", bytes: texture },
  ]);
}

/** A LAS file whose coordinate system is in feet: the GeoTIFF key ProjLinearUnits (3076) has the value Linear_Foot (9002). */
export const inFeet = (file: Uint8Array): Uint8Array => inCoordinates(file, { keys: [3076, 0, 1, 9002] });

/** A LAS file with a coordinate system before its points: entries of a GeoTIFF key directory, or WKT. */
export function inCoordinates(
  file: Uint8Array,
  { keys, wkt = "" }: { readonly keys?: readonly number[]; readonly wkt?: string },
): Uint8Array {
  const content = keys
    ? concatBytes(...[1, 1, 0, keys.length / 4, ...keys].map(u16le))
    : concatBytes(wkt, "\0");
  const id = u16le(keys ? 34_735 : 2112);
  const record = concatBytes(u16le(0), "LASF_Projection\0", id, u16le(content.length), zeros(32), content);
  const result = concatBytes(file.slice(0, LAS_HEADER_BYTES), record, file.slice(LAS_HEADER_BYTES));
  const view = new DataView(result.buffer);
  // The header contains the offset of the points at byte 96, and the number of records before them at byte 100.
  view.setUint32(96, LAS_HEADER_BYTES + record.length, true);
  view.setUint32(100, 1, true);
  return result;
}

/** A LAZ file whose header declares waveforms. */
export function lazWithWaveforms(): Uint8Array {
  const file = lazFile([
    [0, 0, 0],
    [1, 1, 1],
  ]).slice();
  // Point format 4 has waveforms, and its points have 57 bytes. The highest bit marks compressed points.
  file[104] = 0x80 | 4;
  file[105] = 57;
  return file;
}

/** A LAS 1.2 file of points with colours (format 2), in metres, z up. */
export function lasFile(
  points: readonly { readonly position: Triple; readonly colour: Triple }[],
  origin: Triple = [0, 0, 0],
) {
  const scale = 0.001;
  const record = ({ position, colour }: (typeof points)[number]) => {
    const view = new DataView(new ArrayBuffer(26));
    position.forEach((value, axis) => {
      view.setInt32(axis * 4, Math.round(value / scale), true);
    });
    colour.forEach((value, i) => {
      view.setUint16(20 + i * 2, value, true);
    });
    return new Uint8Array(view.buffer);
  };
  return concatBytes(
    lasHeader(
      points.map(({ position }) => position),
      { origin, format: 2, bytesPerPoint: 26, pointsOffset: LAS_HEADER_BYTES },
    ),
    ...points.map(record),
  );
}

interface LasHeader {
  readonly origin: Triple;
  /** Format of the points; the highest bit marks compressed points. */
  readonly format: number;
  readonly bytesPerPoint: number;
  /** Position of the point data in the file, in bytes. */
  readonly pointsOffset: number;
  /** Number of variable-length records before the points. */
  readonly records?: number;
}

/** The header of a LAS 1.2 file. */
function lasHeader(
  points: readonly Triple[],
  { origin, format, bytesPerPoint, pointsOffset, records = 0 }: LasHeader,
) {
  const range = [0, 1, 2].map((axis) => points.map((point) => (point[axis] ?? 0) + (origin[axis] ?? 0)));
  return concatBytes(
    "LASF",
    zeros(20),
    [1, 2],
    zeros(64),
    zeros(4),
    u16le(LAS_HEADER_BYTES),
    u32le(pointsOffset),
    u32le(records),
    [format],
    u16le(bytesPerPoint),
    u32le(points.length),
    zeros(20),
    ...[0.001, 0.001, 0.001, ...origin].map(float64),
    ...range.flatMap((values) => [float64(Math.max(...values)), float64(Math.min(...values))]),
  );
}

/** Arithmetic-coded sizes of the chunks of lazFile. The decoder requires the table, and reads chunk after chunk without using it. */
const LAZ_CHUNK_TABLE: readonly number[] = [43, 36, 176, 112, 244, 227, 145, 212];

/**
 * A LAZ file of two points without colours (format 0). Every chunk contains one point. The first point of a chunk is stored
 * uncompressed, so no encoder is needed.
 */
export function lazFile(points: readonly [Triple, Triple]): Uint8Array {
  const description = concatBytes(
    ...[2, 0].map(u16le),
    [2, 2],
    u16le(0),
    u32le(0),
    u32le(1),
    ...Array.from({ length: 4 }, () => u32le(0xffffffff)),
    ...[1, 6, 20, 2].map(u16le),
  );
  const padText = (value: string, length: number) => concatBytes(value, zeros(length - value.length));
  const record = concatBytes(
    u16le(0),
    padText("laszip encoded", 16),
    u16le(22_204),
    u16le(description.length),
    zeros(32),
    description,
  );
  const pointsOffset = LAS_HEADER_BYTES + record.length;
  const chunks = points.map((point) => {
    const view = new DataView(new ArrayBuffer(24));
    point.forEach((value, axis) => {
      view.setInt32(axis * 4, Math.round(value / 0.001), true);
    });
    return new Uint8Array(view.buffer);
  });
  const tableOffset = pointsOffset + 8 + 48;
  return concatBytes(
    lasHeader(points, { origin: [0, 0, 0], format: 0x80, bytesPerPoint: 20, pointsOffset, records: 1 }),
    record,
    u32le(tableOffset),
    u32le(0),
    ...chunks,
    u32le(0),
    u32le(2),
    LAZ_CHUNK_TABLE,
  );
}
