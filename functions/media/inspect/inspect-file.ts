import type { FileRejectionReason, InspectedFile } from "#functions/services/library/uploads-ports";
import { decodeLatin1 } from "~/domain/library/formats/decode-text";
import { isImageTooLarge, readImageSize } from "~/domain/library/formats/image-size";
import { SPLAT_TYPES } from "~/domain/library/formats/mime-types";
import { isMisnamed } from "~/domain/library/formats/misnamed";
import { findRejectedFormat } from "~/domain/library/formats/rejected-formats";
import type { SniffedMedia } from "~/domain/library/formats/sniffed-media";
import { SNIFF_BYTES, sniffMedia } from "~/domain/library/sniff-media";
import { THUMBNAIL_SIDE_MAX } from "~/domain/shared/limits";
import { type Ranges, ReadBudgetError, rangesOver } from "../range-reader";
import { inspectConvertedModel } from "./inspect-converted-model";
import { inspectGlb, inspectGltf } from "./inspect-model";
import { inspectSplat } from "./inspect-splat";
import { inspectVideo } from "./inspect-video";

/** Metadata of an accepted file, or the reason for its rejection. */
export type Inspection = { readonly file: InspectedFile } | FileRejectionReason;

/**
 * Number of bytes at the end and at the beginning of a PDF that are searched for its end mark and its catalogue.
 */
const [PDF_TAIL_BYTES, PDF_HEAD_BYTES] = [64 * 1024, 64 * 1024];

/**
 * Inspects a stored file: its type, whether it is complete, and its size in pixels and seconds. Reads its head and the
 * parts that its format points to. A file that needs more reads than allowed counts as damaged, but
 * a video may be accepted without its size.
 */
export async function inspectFile(file: Ranges, fileName: string): Promise<Inspection> {
  if (file.size === 0) return { rejection: "damaged" };
  const head = await file.read(0, SNIFF_BYTES);
  const rejectedFormat = findRejectedFormat(head, fileName, file.size);
  if (rejectedFormat) return { rejection: `format.${rejectedFormat.format}`, values: rejectedFormat.values };
  const sniffed = await sniffMedia(head, fileName, file.size);
  if (!sniffed) return { rejection: "kind" };
  if (isMisnamed(fileName, sniffed)) return { rejection: "misnamed" };
  try {
    return await INSPECTIONS[sniffed.kind](file, sniffed);
  } catch (error) {
    // Some files have offsets that point nowhere or structures without an end.
    if (error instanceof ReadBudgetError || error instanceof RangeError) return { rejection: "damaged" };
    throw error;
  }
}

type Inspect = (file: Ranges, sniffed: SniffedMedia) => Promise<Inspection>;

const withoutSize = (file: Ranges, sniffed: SniffedMedia): { readonly file: InspectedFile } => ({
  file: { ...sniffed, byteSize: file.size, width: null, height: null, duration: null },
});

/** Returns whether an image is too large to be shown. */
const isTooLarge = (width: number, height: number) => isImageTooLarge({ width, height });

const inspectImage: Inspect = async (file, sniffed) => {
  const size = await readImageSize(file, sniffed.mimeType);
  if (size === "damaged") return { rejection: "damaged" };
  // An SVG file has no pixels of its own.
  if (size !== null && sniffed.mimeType !== "image/svg+xml" && isTooLarge(size.width, size.height))
    return { rejection: "pixels" };
  return {
    file: { ...sniffed, byteSize: file.size, duration: null, width: null, height: null, ...size },
  };
};

const inspectPlayable: Inspect = async (file, sniffed) => {
  const video = await inspectVideo(file, sniffed);
  return "rejection" in video ? video : { file: { ...video, byteSize: file.size } };
};

/**
 * Inspects a GLB file as a model or as Gaussian splats. Its whole JSON chunk decides which; its first bytes, which were sniffed, may not contain
 * enough of it.
 */
const inspectGlbFile: Inspect = async (file) => {
  const glb = await inspectGlb(file, isTooLarge);
  if ("rejection" in glb) return glb;
  if (glb.kind === "splat") return withoutSize(file, { kind: "splat", mimeType: SPLAT_TYPES.glb });
  const model = withoutSize(file, { kind: "model", mimeType: "model/gltf-binary" });
  return glb.isHeavy ? { file: { ...model.file, isHeavy: true } } : model;
};

const INSPECTIONS: Readonly<Record<SniffedMedia["kind"], Inspect>> = {
  image: inspectImage,
  video: inspectPlayable,
  audio: inspectPlayable,
  async pdf(file, sniffed) {
    const tail = await file.read(Math.max(0, file.size - PDF_TAIL_BYTES), PDF_TAIL_BYTES);
    const head = await file.read(0, PDF_HEAD_BYTES);
    // PDF readers rebuild a document without its end from its objects, provided that the catalogue is present.
    const text = decodeLatin1(new Uint8Array([...head, ...tail]));
    const isWhole = text.includes("%%EOF") || /\/Type\s*\/Catalog\b/.test(text);
    return isWhole ? withoutSize(file, sniffed) : { rejection: "damaged" };
  },
  async model(file, sniffed) {
    const inspectConverted = inspectConvertedModel(sniffed.mimeType);
    if (inspectConverted) {
      const rejection = await inspectConverted(file);
      return rejection === null ? withoutSize(file, sniffed) : { rejection };
    }
    if (sniffed.mimeType === "model/gltf-binary") return inspectGlbFile(file, sniffed);
    return (await inspectGltf(file, isTooLarge)) ?? withoutSize(file, sniffed);
  },
  async splat(file, sniffed) {
    if (sniffed.mimeType === SPLAT_TYPES.glb) return inspectGlbFile(file, sniffed);
    const rejection = await inspectSplat(file, sniffed.mimeType);
    return rejection === null ? withoutSize(file, sniffed) : { rejection };
  },
  subtitle: async (file, sniffed) => withoutSize(file, sniffed),
};

const THUMBNAIL_TYPE = /^image\/(jpeg|webp|png)$/;

/** MIME type of a thumbnail: a complete JPEG, WebP or PNG of a small size. Null for anything else. */
export async function inspectThumbnail(bytes: Uint8Array): Promise<{ readonly mimeType: string } | null> {
  // No other type is parsed further.
  const sniffed = await sniffMedia(bytes.subarray(0, SNIFF_BYTES), "", bytes.length);
  if (!THUMBNAIL_TYPE.test(sniffed?.mimeType ?? "")) return null;
  const inspection = await inspectFile(rangesOver(bytes), "");
  if (!("file" in inspection)) return null;
  const { mimeType, width, height } = inspection.file;
  const side = Math.max(width ?? 0, height ?? 0);
  return side > 0 && side <= THUMBNAIL_SIDE_MAX ? { mimeType } : null;
}
