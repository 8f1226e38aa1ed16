/** Loads LAS and LAZ point clouds. */
import createLazPerf, { type LazPerf } from "laz-perf/lib/worker/laz-perf.js";
import lazPerfUrl from "laz-perf/lib/worker/laz-perf.wasm?url";
import {
  getColourOffset,
  hasWaveforms,
  LAS_HEADER_BYTES,
  type LasHeader,
  readLasHeader,
} from "~/domain/library/formats/las/las-header";
import { readLasUnits } from "~/domain/library/formats/las/las-units";
import { ConversionError } from "../contract";
import type { ReportProgress } from "../run-worker";
import type { LoadedScene } from "./export-scene.client";
import type { ModelRequest } from "./model-request";
import { PointCloud } from "./point-cloud.client";

/** The used part of Emscripten's interface, for which no types are installed. */
interface Memory {
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  _malloc(bytes: number): number;
  _free(address: number): void;
}
const startLazPerf = createLazPerf as unknown as (options: {
  locateFile(): string;
}) => Promise<Pick<LazPerf, "LASZip"> & Memory>;

/** Number of points between two progress reports. */
const REPORT_EVERY = 250_000;
/** Number of points whose colours are sampled to distinguish 8-bit from 16-bit colours. */
const COLOUR_SAMPLE = 1000;

/** Loads a point cloud; a very large one is sampled evenly. */
export async function loadLas(
  { file, fileName }: ModelRequest,
  report: ReportProgress,
): Promise<LoadedScene> {
  const declared = readLasHeader(new Uint8Array(await file.slice(0, LAS_HEADER_BYTES).arrayBuffer()));
  if (!declared) throw new ConversionError("damaged", "no LAS header");
  if (declared.count === 0) throw new ConversionError("empty", "no points");
  // laz-perf does not support waveform records and would read beyond the end of its memory.
  if (declared.isCompressed && hasWaveforms(declared.format))
    throw new ConversionError("unreadable_model", `LAZ of point format ${declared.format}`);
  const name = fileName.replace(/\.\w+$/, "");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const header = inMetres(declared, bytes);
  if (header.isCompressed) return loadCompressed(bytes, header, name, report);
  const end = header.pointsOffset + header.count * header.recordLength;
  if (end > bytes.length) throw new ConversionError("damaged", "points are missing");
  const recordOffset = (index: number) => header.pointsOffset + index * header.recordLength;
  return readPoints(new DataView(bytes.buffer), header, name, report, recordOffset);
}

/** Returns the header with scale and offset in metres. */
function inMetres(header: LasHeader, bytes: Uint8Array): LasHeader {
  const [west, south] = header.min;
  const [eastEnd, northEnd] = header.max;
  const { east, north, up } = readLasUnits(bytes, [(west + eastEnd) / 2, (south + northEnd) / 2]);
  const turn = ([x, y, z]: LasHeader["scale"]) => [x * east, y * north, z * up] as const;
  return { ...header, scale: turn(header.scale), offset: turn(header.offset) };
}

async function loadCompressed(bytes: Uint8Array, header: LasHeader, name: string, report: ReportProgress) {
  const perf = await startLazPerf({ locateFile: () => lazPerfUrl });
  const source = perf._malloc(bytes.length);
  const point = perf._malloc(header.recordLength);
  if (source === 0 || point === 0) throw new ConversionError("out_of_memory", "no room for the file");
  perf.HEAPU8.set(bytes, source);
  const zip = new perf.LASZip();
  try {
    zip.open(source, bytes.length);
    if (zip.getCount() < header.count) throw new ConversionError("damaged", "points are missing");
    let next = 0;
    return readPoints(
      // The memory may move when it grows, so a new view is created for every point.
      () => new DataView(perf.HEAPU8.buffer, point, header.recordLength),
      header,
      name,
      report,
      (index) => {
        for (; next <= index; next++) zip.getPoint(point);
        return 0;
      },
    );
  } finally {
    zip.delete();
    perf._free(point);
    perf._free(source);
  }
}

/** Converts sRGB to linear (IEC 61966-2-1). */
const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function readPoints(
  view: DataView | (() => DataView),
  header: LasHeader,
  name: string,
  report: ReportProgress,
  offsetOf: (index: number) => number,
): LoadedScene {
  const colourAt = getColourOffset(header.format);
  const cloud = new PointCloud(header.count, colourAt !== null);
  const { scale, offset } = header;
  // Many tools write 8-bit colours in the 16-bit fields. The first colours are collected until the range is known.
  const raw: { readonly position: readonly [number, number, number]; readonly colour: readonly number[] }[] =
    [];
  let largest = 0;
  let shift: number | null = colourAt === null ? 1 : null;
  // Files whose format has colour fields may contain only zeros in them.
  const add = (position: readonly [number, number, number], colour: readonly number[]) =>
    cloud.add(
      position,
      largest === 0
        ? undefined
        : (colour.map((value) => linear(Math.min(1, value / (shift ?? 1)))) as [number, number, number]),
    );
  const settle = () => {
    shift = largest > 255 ? 65_535 : 255;
    for (const { position, colour } of raw) add(position, colour);
    raw.length = 0;
  };
  for (let i = 0; i < header.count; i++) {
    if (i % REPORT_EVERY === 0) report(0.1 + (0.45 * i) / header.count, "decode");
    if (!cloud.includes(i)) continue;
    const start = offsetOf(i);
    const data = typeof view === "function" ? view() : view;
    const position = [0, 1, 2].map(
      (axis) => data.getInt32(start + axis * 4, true) * (scale[axis] ?? 1) + (offset[axis] ?? 0),
    ) as [number, number, number];
    const colour =
      colourAt === null ? [] : [0, 2, 4].map((step) => data.getUint16(start + colourAt + step, true));
    if (shift !== null) {
      add(position, colour);
      continue;
    }
    largest = Math.max(largest, ...colour);
    raw.push({ position, colour });
    if (raw.length >= COLOUR_SAMPLE) settle();
  }
  if (raw.length > 0) settle();
  return cloud.finish(name);
}
