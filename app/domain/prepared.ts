/** Files that were made of a library item's file so that every device can show it (decision 054). */

import { SPLAT_TYPES } from "./media-kind";
import type { Instant, MediaKind } from "./model";
import { needsConversion, PREPARATION } from "./preparation";
import type { UploadCheck } from "./upload-check";

/** waiting: to be converted. failed: the last conversion ended without result. skipped: the owner uses the file as it is. */
export const PREPARATION_STATES = ["waiting", "done", "failed", "skipped"] as const;
/** One of them. */
export type PreparationState = (typeof PREPARATION_STATES)[number];

/** display: the file that viewers load. preview: a smaller version that they show first. tile: a part of a large picture. */
export const PREPARED_ROLES = ["display", "preview", "tile"] as const;
/** One of them. */
export type PreparedRole = (typeof PREPARED_ROLES)[number];

/** Reasons for a failed conversion, from converters and the steps around them. Each has one text, which says what to do. */
export const PREPARATION_CODES = [
  "damaged",
  "empty",
  "too_large",
  "out_of_memory",
  "unsupported_feature",
  "missing_files",
  "no_codec",
  "timeout",
  "cancelled",
  "not_drawn",
  "rejected",
  "no_room",
  "no_converter",
  "not_smaller",
] as const;
/** One of them. */
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
/** One of them. */
export type PreparationLoss = (typeof PREPARATION_LOSSES)[number];

/** Notes of a conversion for the owner, and the values of their texts. */
export const PREPARATION_NOTES = {
  missing_textures: ["names", "count"],
  unit_guessed: ["unit"],
  points_thinned: ["kept", "count"],
  moved_to_origin: [],
} as const;

/** Note for the owner about a conversion, for example names of missing textures or a guessed unit. */
export interface PreparationNote {
  readonly key: keyof typeof PREPARATION_NOTES;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Numbers of a file before or after its conversion. Bytes, counts, pixels, metres. */
export interface PreparedFacts {
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
  readonly before: PreparedFacts;
  readonly after: PreparedFacts;
  readonly losses: readonly PreparationLoss[];
  /** Absent in reports that were stored before there were notes. */
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
  readonly facts: PreparationReport | null;
  /** Until when a browser has the file alone, and converts it; null for none. */
  readonly leasedUntil: Instant | null;
  /** Null as long as it may not be used (decision 047), and where there is none. */
  readonly display: DisplayFile | null;
  /** The display file waits for its check, or was rejected. */
  readonly displayCheck: UploadCheck | null;
  /** Name of the smaller version that viewers show first; null for none. */
  readonly preview: string | null;
}

/** Quality of a conversion that nobody chose: 0 for the smallest files, 1 for the best ones. */
export const DEFAULT_QUALITY = 0.7;
/** Files of a type whose conversion is offered are converted without being asked from this size on, in bytes. */
export const HEAVY_BYTES = 8 * 1024 * 1024;
/** The same for models, in triangles. */
export const HEAVY_TRIANGLES = 300_000;

interface Prepared {
  readonly mimeType: string;
  readonly byteSize: number;
  readonly preparation: ItemPreparation | null;
}

/** Whether a file of this type can be converted at all. */
export const canConvert = (mimeType: string): boolean =>
  PREPARATION[mimeType] !== undefined || needsConversion(mimeType);

/** How an item's conversion stands. "none": there is nothing to do. What nobody has begun is derived, so that no writer can forget it. */
export function preparationState({ mimeType, byteSize, preparation }: Prepared): PreparationState | "none" {
  if (!canConvert(mimeType)) return "none";
  if (preparation) return preparation.state;
  return needsConversion(mimeType) || byteSize >= HEAVY_BYTES ? "waiting" : "none";
}

/** Whether the owner may choose to show the file as it was uploaded: not where browsers cannot show it. */
export const canSkip = (mimeType: string): boolean => PREPARATION[mimeType] === "offered";

const COSTS = ["triangles", "splats", "graphicsBytes"] as const;

/**
 * Whether a converted file is worth storing in place of one that browsers can show: it has fewer bytes, or it has at most half of what
 * makes devices slow.
 */
export const isLighter = (before: PreparedFacts, after: PreparedFacts): boolean =>
  after.bytes < before.bytes ||
  COSTS.some((cost) => (after[cost] ?? Number.POSITIVE_INFINITY) <= (before[cost] ?? 0) / 2);

/** Why visitors do not see an item. */
export type HiddenReason =
  | { readonly why: "check"; readonly state: UploadCheck["state"] }
  | { readonly why: "waiting" }
  | { readonly why: "failed"; readonly code: PreparationCode };

/** Why visitors do not see an item; null for those that they see. */
export function hiddenReason(item: Prepared & { readonly check: UploadCheck | null }): HiddenReason | null {
  if (item.check) return { why: "check", state: item.check.state };
  const { preparation } = item;
  if (!needsConversion(item.mimeType) || preparation?.display) return null;
  if (preparation?.displayCheck) return { why: "check", state: preparation.displayCheck.state };
  if (preparation?.state === "failed") return { why: "failed", code: preparation.code || "damaged" };
  return { why: "waiting" };
}

/** File names' endings of types that conversions make, and the types. Serving tells the type of a prepared file by its ending. */
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

const NAME = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}\/){0,3}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;

/** The ending of a prepared file's name that says its type; null for names that no prepared file has. Only tiles lie in folders. */
export function preparedEnding(name: string): string | null {
  if (!NAME.test(name)) return null;
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return name.includes(".") && Object.hasOwn(PREPARED_TYPES, ending) ? ending : null;
}

/** The key in R2 of a prepared file. The conversion stands at its end, so that all files of one have the same version (fileVersion). */
export const preparedKey = (itemId: string, runId: string, name: string): string =>
  `library/${itemId}/prepared/${name}/${runId}`;
