/**
 * Converted files of a library item, which visitors receive in place of the uploaded file (decision 054). In names, "preparation" means the conversion,
 * and "prepared" means converted.
 */

import type { Instant, MediaKind } from "../shared/model";
import type { TileShape } from "../spaces/panorama-tiles";
import { SPLAT_TYPES } from "./formats/mime-types";
import { getPreparationNeed, needsConversion, type Preparable } from "./preparation";
import type { UploadCheck } from "./upload-check";

/** waiting: to be converted. failed: the last conversion ended without result. skipped: the owner uses the file as it is. */
export const PREPARATION_STATES = ["waiting", "done", "failed", "skipped"] as const;
/** A state of a conversion. */
export type PreparationState = (typeof PREPARATION_STATES)[number];

/** display: the file that viewers load. preview: a smaller version that they show first. tile: a part of a large image. */
export const PREPARED_ROLES = ["display", "preview", "tile"] as const;
/** A role of a converted file. */
export type PreparedRole = (typeof PREPARED_ROLES)[number];

/**
 * Reasons for a failed conversion, from converters and the steps around them. Each has one text, which advises the owner.
 * - no_codec: this browser cannot decode the video; no_converter: the page has none for the type
 * - not_drawn: this browser could not draw the result; not_shown: a browser could not open the uploaded file
 * - not_lighter: the result is not smaller than the uploaded file
 * - rejected: the server did not accept the result; no_room: the library has no storage for it
 */
export const PREPARATION_CODES = [
  "damaged",
  "empty",
  "too_large",
  "out_of_memory",
  "unsupported_feature",
  "unreadable_model",
  "unreadable_picture",
  "missing_files",
  "no_codec",
  "timeout",
  "cancelled",
  "not_drawn",
  "rejected",
  "no_room",
  "no_converter",
  "not_lighter",
  "not_shown",
] as const;
/** A reason for a failed conversion. */
export type PreparationCode = (typeof PREPARATION_CODES)[number];

/** Parts of a file that a conversion left out. */
export const PREPARATION_LOSSES = [
  "missing_textures",
  "animations",
  "materials",
  "lights",
  "colours",
  "sound",
] as const;
/** A part that a conversion left out. */
export type PreparationLoss = (typeof PREPARATION_LOSSES)[number];

/** Notes of a conversion for the owner. Each has one text. Slices are those of a 3MF file for a printer; references are those of a USD file to others. */
export const PREPARATION_NOTES = [
  "missing_textures",
  "unit_guessed",
  "points_thinned",
  "moved_to_origin",
  "slices_left_out",
  "references_left_out",
  "objects_left_out",
] as const;

/** Maximum length of a note's value, in characters. */
export const NOTE_VALUE_MAX = 500;

/** A note of a conversion, with the values of its text: for example the names of missing textures. */
export interface PreparationNote {
  readonly key: (typeof PREPARATION_NOTES)[number];
  readonly values: Readonly<Record<string, string | number>>;
}

/** Numbers of a file before or after its conversion: bytes, counts, width and height in pixels, and the size of a model in metres. */
export interface PreparedMeasurements {
  readonly bytes: number;
  readonly triangles?: number | undefined;
  readonly points?: number | undefined;
  readonly splats?: number | undefined;
  readonly graphicsBytes?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly size?: readonly number[] | undefined;
}

/** Report of a conversion about its result. */
export interface PreparationReport {
  readonly before: PreparedMeasurements;
  readonly after: PreparedMeasurements;
  readonly losses: readonly PreparationLoss[];
  readonly notes?: readonly PreparationNote[] | undefined;
}

/** The file that visitors receive in place of the uploaded one. */
export interface DisplayFile {
  /** Key in R2. */
  readonly fileKey: string;
  readonly mimeType: string;
  readonly byteSize: number;
  /** Pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
}

/** Stored state of an item's conversion. */
export interface ItemPreparation {
  readonly state: PreparationState;
  /** Empty unless it failed. */
  readonly code: PreparationCode | "";
  /** The conversion whose files visitors receive; null for none. */
  readonly runId: string | null;
  /** Quality of that conversion, 0…1. */
  readonly quality: number | null;
  /** Quality that the owner chose for the running or interrupted conversion, 0…1; null for an automatic conversion, and without one. */
  readonly requestedQuality: number | null;
  readonly report: PreparationReport | null;
  /** Time until which the conversion is reserved for one browser (its lease); null without one. */
  readonly leasedUntil: Instant | null;
  /** Null when there is no file or when it may not be used (decision 047). */
  readonly display: DisplayFile | null;
  /** State of the display file's verdict, while it waits or after a rejection. */
  readonly displayCheck: UploadCheck | null;
  /** Name of the smaller version that viewers show first; null for none. */
  readonly preview: string | null;
  /** Tiles of a large panorama; null for none. */
  readonly tiles: TileShape | null;
}

/** Default quality of a conversion: 0 for the smallest files, 1 for the best ones. */
export const DEFAULT_QUALITY = 0.7;
/** Size from which files are converted automatically when their conversion is optional, in bytes. */
export const HEAVY_BYTES = 8 * 1024 * 1024;
/** Number of a model's triangles from which it is converted automatically. */
export const HEAVY_TRIANGLES = 300_000;
/** Unpacked size of a model's textures from which it is converted automatically, in bytes. */
export const HEAVY_TEXTURE_BYTES = 128 * 1024 * 1024;

/** A file that may have a conversion. */
interface PreparableFile extends Preparable {
  readonly byteSize: number;
  readonly preparation: ItemPreparation | null;
}

/** Returns whether a file can be converted. */
export const canConvert = (file: Preparable): boolean => getPreparationNeed(file) !== null;

/** Returns the state of an item's conversion; "none" when none is needed. States before the first conversion are derived, not stored. */
export function preparationState(file: PreparableFile): PreparationState | "none" {
  const requirement = getPreparationNeed(file);
  if (requirement === null) return "none";
  if (file.preparation) return file.preparation.state;
  // The graphics memory of a wide panorama depends on its pixels, not on its bytes.
  const isHeavy = file.byteSize >= HEAVY_BYTES || file.mimeType.startsWith("image/");
  return requirement === "required" || isHeavy ? "waiting" : "none";
}

/** Returns whether the owner may show the uploaded file without a conversion. Browsers must be able to show it. */
export const canSkip = (file: Preparable): boolean => getPreparationNeed(file) === "offered";

/** Returns whether an owner's browser may convert this file or report it as NOT_SHOWN. */
export const canBeTested = (file: Preparable): boolean =>
  canConvert(file) || file.mimeType === "application/pdf";

/** Code of a file that an owner's browser could not open although it can draw, so that visitors will not see it either. */
export const NOT_SHOWN = "not_shown" satisfies PreparationCode;

/** The reason why visitors do not see an item. */
export type HiddenReason =
  | { readonly why: "check"; readonly state: UploadCheck["state"] }
  | { readonly why: "waiting" }
  | { readonly why: "failed"; readonly code: PreparationCode };

/** Returns the reason why visitors do not see an item; null for an item that they see. */
export function hiddenReason(
  item: PreparableFile & { readonly check: UploadCheck | null },
): HiddenReason | null {
  if (item.check) return { why: "check", state: item.check.state };
  const { preparation } = item;
  if (preparation?.state === "failed" && preparation.code === NOT_SHOWN)
    return { why: "failed", code: NOT_SHOWN };
  if (!needsConversion(item) || preparation?.display) return null;
  if (preparation?.displayCheck) return { why: "check", state: preparation.displayCheck.state };
  if (preparation?.state === "failed") return { why: "failed", code: preparation.code || "damaged" };
  return { why: "waiting" };
}

/** Types of converted files by the extension of their name. Files are served with these types. */
export const PREPARED_TYPES: Readonly<
  Record<string, { readonly mimeType: string; readonly kind: MediaKind }>
> = {
  glb: { mimeType: "model/gltf-binary", kind: "model" },
  spz: { mimeType: SPLAT_TYPES.spz, kind: "splat" },
  ply: { mimeType: SPLAT_TYPES.ply, kind: "splat" },
  splat: { mimeType: SPLAT_TYPES.splat, kind: "splat" },
  ksplat: { mimeType: SPLAT_TYPES.ksplat, kind: "splat" },
  webp: { mimeType: "image/webp", kind: "image" },
  jpg: { mimeType: "image/jpeg", kind: "image" },
  png: { mimeType: "image/png", kind: "image" },
  avif: { mimeType: "image/avif", kind: "image" },
  mp4: { mimeType: "video/mp4", kind: "video" },
  webm: { mimeType: "video/webm", kind: "video" },
  m4a: { mimeType: "audio/mp4", kind: "audio" },
  mp3: { mimeType: "audio/mpeg", kind: "audio" },
};

const PREPARED_NAME = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}\/){0,3}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;

/** Returns the extension of a converted file's name; null for invalid names. Only tiles are in folders. */
export function preparedExtension(name: string): string | null {
  if (!PREPARED_NAME.test(name)) return null;
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return name.includes(".") && Object.hasOwn(PREPARED_TYPES, extension) ? extension : null;
}

/** Returns the R2 key of a converted file. It ends with the conversion's id, so that all files of a conversion have the same version (fileVersion). */
export const preparedKey = (itemId: string, runId: string, name: string): string =>
  `library/${itemId}/prepared/${name}/${runId}`;
