/** Reads the units of a LAS or LAZ file's coordinates from its coordinate system. */

/** Metres per unit along x (east), along y (north) and upwards. */
export interface LasUnits {
  readonly east: number;
  readonly north: number;
  readonly up: number;
}

/** Units that the coordinate system states: lengths, or longitude and latitude in degrees. */
interface StatedUnits {
  /** Metres per horizontal unit; null for degrees. */
  readonly across: number | null;
  readonly up: number;
}

/** Linear units by their code (EPSG Geodetic Parameter Dataset): metre, international foot, US survey foot. */
const METRES: Readonly<Record<number, number>> = { 9001: 1, 9002: 0.3048, 9003: 1200 / 3937 };

/** Size of the header of a variable length record in bytes (LAS specification 1.4 R15, table 6). */
const RECORD_HEADER = 54;
/** Maximum number of records that are read. */
const RECORDS_MAX = 1000;
/** Ids of the records with the GeoTIFF keys and with the coordinate system as WKT (LAS specification 1.4 R15, §3). */
const GEO_KEYS = 34_735;
const WKT = 2112;
/** GeoTIFF keys of the coordinate type, and of the linear units of the projection and of heights. */
const [MODEL_TYPE, PROJECTED_UNITS, VERTICAL_UNITS] = [1024, 3076, 4099];
/** Value of MODEL_TYPE for longitude and latitude (GeoTIFF 1.1 §7.2.1). */
const GEOGRAPHIC = 2;

/**
 * Reads the units from the records before the points. Uses metres if no unit is stated.
 * @param centre centre of the points, in the file's units; the length of a degree depends on its latitude
 */
export function readLasUnits(bytes: Uint8Array, centre: readonly [number, number]): LasUnits {
  const { across, up } = statedUnits(bytes);
  if (across !== null) return { east: across, north: across, up };
  const [longitude, latitude] = centre;
  // Some writers name a geographic system for coordinates in metres.
  if (Math.abs(longitude) > 360 || Math.abs(latitude) > 90) return { east: 1, north: 1, up };
  return { ...metresPerDegree(latitude), up };
}

/**
 * Returns the lengths of a degree of longitude and latitude on the WGS 84 ellipsoid, in metres (series of the US NGA).
 * @param latitude degrees
 */
function metresPerDegree(latitude: number): { readonly east: number; readonly north: number } {
  const angle = (latitude * Math.PI) / 180;
  return {
    east: 111_412.84 * Math.cos(angle) - 93.5 * Math.cos(3 * angle) + 0.118 * Math.cos(5 * angle),
    north:
      111_132.92 - 559.82 * Math.cos(2 * angle) + 1.175 * Math.cos(4 * angle) - 0.0023 * Math.cos(6 * angle),
  };
}

function statedUnits(bytes: Uint8Array): StatedUnits {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let keyUnits: StatedUnits | null = null;
  let offset = view.getUint16(94, true);
  const count = Math.min(view.getUint32(100, true), RECORDS_MAX);
  for (let i = 0; i < count && offset + RECORD_HEADER <= bytes.length; i++) {
    const id = view.getUint16(offset + 18, true);
    const length = view.getUint16(offset + 20, true);
    const content = bytes.subarray(offset + RECORD_HEADER, offset + RECORD_HEADER + length);
    const isProjection = latin1(bytes.subarray(offset + 2, offset + 17)) === "LASF_Projection";
    if (isProjection && id === WKT) return readWktUnits(latin1(content));
    if (isProjection && id === GEO_KEYS) keyUnits = readKeyUnits(content);
    offset += RECORD_HEADER + length;
  }
  return keyUnits ?? { across: 1, up: 1 };
}

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** Reads the key directory: entries of four numbers. The first entry is the header (GeoTIFF 1.1 §7.1.2). */
function readKeyUnits(content: Uint8Array): StatedUnits {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const readKey = (key: number) => {
    for (let offset = 8; offset + 8 <= content.length; offset += 8)
      if (view.getUint16(offset, true) === key) return view.getUint16(offset + 6, true);
    return 0;
  };
  const up = METRES[readKey(VERTICAL_UNITS)];
  if (readKey(MODEL_TYPE) === GEOGRAPHIC) return { across: null, up: up ?? 1 };
  const across = METRES[readKey(PROJECTED_UNITS)] ?? 1;
  return { across, up: up ?? across };
}

/**
 * A coordinate system of longitude and latitude, alone or with heights (OGC 01-009 and 18-010). A projected system contains such a system
 * too.
 */
const GEOGRAPHIC_WKT =
  /^\s*(?:COMPD_?CR?S\[\s*"[^"]*",\s*|COMPOUNDCRS\[\s*"[^"]*",\s*)?GEO(?:GCS|GCRS|DCRS|GRAPHICCRS|DETICCRS)\[/i;

/** Reads the units from WKT. The last unit of a projection is that of its axes; the units of its datum are angles. */
function readWktUnits(text: string): StatedUnits {
  const offset = text.search(/VERT_?C[RS]S?\[/);
  const readUnit = (part: string) => {
    const units = [...part.matchAll(/UNIT\["([^"]*)",\s*([\d.]+(?:e-?\d+)?)/gi)];
    const [, name = "", value = ""] = units.at(-1) ?? [];
    const metres = Number(value);
    return /metre|meter|f(oo|ee)t/i.test(name) && metres > 0 ? metres : null;
  };
  const up = offset < 0 ? null : readUnit(text.slice(offset));
  if (GEOGRAPHIC_WKT.test(text)) return { across: null, up: up ?? 1 };
  const across = readUnit(offset < 0 ? text : text.slice(0, offset)) ?? 1;
  return { across, up: up ?? across };
}
