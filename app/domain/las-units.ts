/** Units of the coordinates of a LAS or LAZ file, from its coordinate system. */

/** Metres per unit across the ground and upwards. */
export interface LasUnits {
  readonly across: number;
  readonly up: number;
}

/** Linear units by their code (EPSG Geodetic Parameter Dataset): metre, international foot, US survey foot. */
const METRES: Readonly<Record<number, number>> = { 9001: 1, 9002: 0.3048, 9003: 1200 / 3937 };

/** Bytes of the header of a variable length record (LAS specification 1.4 R15, table 6). */
const RECORD_HEADER = 54;
const RECORDS_MAX = 1000;
const GEO_KEYS = 34_735;
const WKT = 2112;
/** GeoTIFF keys of the linear units of the projection and of heights. */
const [PROJECTED_UNITS, VERTICAL_UNITS] = [3076, 4099];

/** Reads the units from the records before the points. Metres where they are not stated. */
export function readLasUnits(bytes: Uint8Array): LasUnits {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let fromKeys: LasUnits | null = null;
  let at = view.getUint16(94, true);
  const count = Math.min(view.getUint32(100, true), RECORDS_MAX);
  for (let i = 0; i < count && at + RECORD_HEADER <= bytes.length; i++) {
    const id = view.getUint16(at + 18, true);
    const length = view.getUint16(at + 20, true);
    const content = bytes.subarray(at + RECORD_HEADER, at + RECORD_HEADER + length);
    const isProjection = latin1(bytes.subarray(at + 2, at + 17)) === "LASF_Projection";
    if (isProjection && id === WKT) return unitsOfWkt(latin1(content));
    if (isProjection && id === GEO_KEYS) fromKeys = unitsOfKeys(content);
    at += RECORD_HEADER + length;
  }
  return fromKeys ?? { across: 1, up: 1 };
}

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** The key directory: entries of four numbers, the first one being its own header (GeoTIFF 1.1 §7.1.2). */
function unitsOfKeys(content: Uint8Array): LasUnits {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const codeOf = (key: number) => {
    for (let at = 8; at + 8 <= content.length; at += 8)
      if (view.getUint16(at, true) === key) return view.getUint16(at + 6, true);
    return 0;
  };
  const across = METRES[codeOf(PROJECTED_UNITS)] ?? 1;
  return { across, up: METRES[codeOf(VERTICAL_UNITS)] ?? across };
}

/** The last unit of the projection is that of its axes. Those of its datum are angles. */
function unitsOfWkt(text: string): LasUnits {
  const at = text.search(/VERT_?C[RS]S?\[/);
  const unitOf = (part: string) => {
    const units = [...part.matchAll(/UNIT\["([^"]*)",\s*([\d.]+(?:e-?\d+)?)/gi)];
    const [, name = "", value = ""] = units.at(-1) ?? [];
    const metres = Number(value);
    return /metre|meter|f(oo|ee)t/i.test(name) && metres > 0 ? metres : null;
  };
  const across = unitOf(at < 0 ? text : text.slice(0, at)) ?? 1;
  return { across, up: (at < 0 ? null : unitOf(text.slice(at))) ?? across };
}
