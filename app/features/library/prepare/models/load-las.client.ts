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
import { ConversionError } from "../conversion";
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
  const declaredHeader = readLasHeader(new Uint8Array(await file.slice(0, LAS_HEADER_BYTES).arrayBuffer()));
  if (!declaredHeader) throw new ConversionError("damaged", "The file has no LAS header.");
  if (declaredHeader.count === 0) throw new ConversionError("empty", "The file has no points.");
  // laz-perf does not support waveform records and would read beyond the end of its memory.
  if (declaredHeader.isCompressed && hasWaveforms(declaredHeader.format))
    throw new ConversionError(
      "unreadable_model",
      `LAZ files of point format ${declaredHeader.format} cannot be read.`,
    );
  const name = fileName.replace(/\.\w+$/, "");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const header = convertToMetres(declaredHeader, bytes);
  if (header.isCompressed) return loadCompressed(bytes, header, name, report);
  const pointsEnd = header.pointsOffset + header.count * header.recordLength;
  if (pointsEnd > bytes.length)
    throw new ConversionError("damaged", "The file has fewer points than its header states.");
  const recordOffset = (index: number) => header.pointsOffset + index * header.recordLength;
  return readPoints(new DataView(bytes.buffer), header, name, report, recordOffset);
}

/** Returns the header with scale and offset in metres. */
function convertToMetres(header: LasHeader, bytes: Uint8Array): LasHeader {
  const [west, south] = header.min;
  const [eastEnd, northEnd] = header.max;
  const { east, north, up } = readLasUnits(bytes, [(west + eastEnd) / 2, (south + northEnd) / 2]);
  const toMetres = ([x, y, z]: LasHeader["scale"]) => [x * east, y * north, z * up] as const;
  return { ...header, scale: toMetres(header.scale), offset: toMetres(header.offset) };
}

async function loadCompressed(bytes: Uint8Array, header: LasHeader, name: string, report: ReportProgress) {
  const lazPerf = await startLazPerf({ locateFile: () => lazPerfUrl });
  const fileAddress = lazPerf._malloc(bytes.length);
  const pointAddress = lazPerf._malloc(header.recordLength);
  if (fileAddress === 0 || pointAddress === 0)
    throw new ConversionError("out_of_memory", "There is not enough memory for the file.");
  lazPerf.HEAPU8.set(bytes, fileAddress);
  const reader = new lazPerf.LASZip();
  try {
    reader.open(fileAddress, bytes.length);
    if (reader.getCount() < header.count)
      throw new ConversionError("damaged", "The file has fewer points than its header states.");
    let nextIndex = 0;
    return readPoints(
      // The memory may move when it grows, so a new view is created for every point.
      () => new DataView(lazPerf.HEAPU8.buffer, pointAddress, header.recordLength),
      header,
      name,
      report,
      (index) => {
        for (; nextIndex <= index; nextIndex++) reader.getPoint(pointAddress);
        return 0;
      },
    );
  } finally {
    reader.delete();
    lazPerf._free(pointAddress);
    lazPerf._free(fileAddress);
  }
}

/** Converts sRGB to linear (IEC 61966-2-1). */
const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function readPoints(
  view: DataView | (() => DataView),
  header: LasHeader,
  name: string,
  report: ReportProgress,
  offsetOf: (index: number) => number,
): LoadedScene {
  const colourOffset = getColourOffset(header.format);
  const cloud = new PointCloud(header.count, colourOffset !== null);
  const { scale, offset } = header;
  // Many tools write 8-bit colours in the 16-bit fields. The first colours are collected until the range is known.
  const pendingPoints: {
    readonly position: readonly [number, number, number];
    readonly colour: readonly number[];
  }[] = [];
  let largestValue = 0;
  let colourMax: number | null = colourOffset === null ? 1 : null;
  // Some tools write zero in all colour fields, so the points get no colours until another value is found.
  const add = (position: readonly [number, number, number], colour: readonly number[]) =>
    cloud.add(
      position,
      largestValue === 0
        ? undefined
        : (colour.map((value) => toLinear(Math.min(1, value / (colourMax ?? 1)))) as [
            number,
            number,
            number,
          ]),
    );
  const addPendingPoints = () => {
    if (largestValue > 0) colourMax = largestValue > 255 ? 65_535 : 255;
    for (const { position, colour } of pendingPoints) add(position, colour);
    pendingPoints.length = 0;
  };
  for (let i = 0; i < header.count; i++) {
    if (i % REPORT_EVERY === 0) report(0.1 + (0.45 * i) / header.count, "decode");
    if (!cloud.keeps(i)) continue;
    const recordStart = offsetOf(i);
    const record = typeof view === "function" ? view() : view;
    const position = [0, 1, 2].map(
      (axis) => record.getInt32(recordStart + axis * 4, true) * (scale[axis] ?? 1) + (offset[axis] ?? 0),
    ) as [number, number, number];
    const colour =
      colourOffset === null
        ? []
        : [0, 2, 4].map((byteOffset) => record.getUint16(recordStart + colourOffset + byteOffset, true));
    if (colourMax !== null) {
      add(position, colour);
      continue;
    }
    largestValue = Math.max(largestValue, ...colour);
    pendingPoints.push({ position, colour });
    if (pendingPoints.length >= COLOUR_SAMPLE) addPendingPoints();
  }
  if (pendingPoints.length > 0) addPendingPoints();
  return cloud.finish(name);
}
