/** Links to a viewpoint and to a tag: `?view=…` and `?tag=…` on a visitor's page. */
import { clampPitch, wrapAngle } from "./angles";
import type { Viewpoint } from "./contract";

const MODES = { w: "walk", o: "orbit", p: "plan" } as const;
const NODE_ID = /^[A-Za-z0-9_.-]{1,64}$/;
const NUMBER = /^-?\d{1,5}(\.\d{1,4})?$/;
const DEGREE = Math.PI / 180;
/** Maximum absolute value of each coordinate in a link, in metres: more than any walkable space needs. */
const COORDINATE_MAX = 10_000;

function formatNumber(value: number, places: number): string {
  const text = value.toFixed(places);
  const shortened = places > 0 ? text.replace(/\.?0+$/, "") : text;
  return shortened === "-0" ? "0" : shortened;
}

/**
 * Encodes a viewpoint as the value of `?view=`: mode, x, y, z in metres (1 cm), yaw, pitch in degrees (0.1°) and the node if
 * there is one, joined by "_". These characters are not escaped in a query string. Numbers that are not finite become 0.
 */
export function encodeViewpoint(viewpoint: Viewpoint): string {
  const formatClamped = (value: number, places: number) =>
    formatNumber(
      Number.isFinite(value) ? Math.min(COORDINATE_MAX, Math.max(-COORDINATE_MAX, value)) : 0,
      places,
    );
  const parts = [
    viewpoint.mode.slice(0, 1),
    ...viewpoint.position.map((value) => formatClamped(value, 2)),
    formatClamped(wrapAngle(viewpoint.yaw) / DEGREE, 1),
    formatClamped(clampPitch(viewpoint.pitch) / DEGREE, 1),
  ];
  if (viewpoint.nodeId !== undefined && NODE_ID.test(viewpoint.nodeId)) parts.push(viewpoint.nodeId);
  return parts.join("_");
}

/** Decodes a `?view=` value. Returns null for text of another form and for numbers out of range. Never throws. */
export function decodeViewpoint(text: string | null | undefined): Viewpoint | null {
  if (!text || text.length > 160) return null;
  const [modeLetter = "", ...parts] = text.split("_");
  const mode = modeLetter === "w" || modeLetter === "o" || modeLetter === "p" ? MODES[modeLetter] : null;
  const numbers = parts.slice(0, 5);
  if (!mode || numbers.length < 5 || !numbers.every((part) => NUMBER.test(part))) return null;
  const [x = 0, y = 0, z = 0, yaw = 0, pitch = 0] = numbers.map(Number);
  if ([x, y, z].some((value) => Math.abs(value) > COORDINATE_MAX)) return null;
  if (Math.abs(yaw) > 360 || Math.abs(pitch) > 90) return null;
  const viewpoint: Viewpoint = {
    position: [x, y, z],
    yaw: wrapAngle(yaw * DEGREE),
    pitch: clampPitch(pitch * DEGREE),
    mode,
  };
  if (parts.length === 5) return viewpoint;
  const nodeId = parts.slice(5).join("_");
  return NODE_ID.test(nodeId) ? { ...viewpoint, nodeId } : null;
}

/** Reads the viewpoint and the tag from the query parameters of a visitor's URL. Returns null for parameters that are absent or invalid. */
export function readViewerLink(searchParams: URLSearchParams): {
  viewpoint: Viewpoint | null;
  tagId: string | null;
} {
  const tag = searchParams.get("tag");
  return {
    viewpoint: decodeViewpoint(searchParams.get("view")),
    tagId: tag && /^[A-Za-z0-9-]{1,64}$/.test(tag) ? tag : null,
  };
}

/**
 * Returns the URL of a page with `view` and `tag` set or removed. All other parameters, including the link's access token, stay, except
 * the visitor's cart. The fragment is removed because it would scroll the page away from the linked view.
 */
export function viewerLink(href: string, viewpoint: Viewpoint | null, tagId: string | null): string {
  const url = new URL(href);
  url.hash = "";
  url.searchParams.delete("view");
  url.searchParams.delete("tag");
  // The cart belongs to the visitor who shares the link. The recipient must not get it.
  url.searchParams.delete("cart");
  if (viewpoint) url.searchParams.set("view", encodeViewpoint(viewpoint));
  if (tagId) url.searchParams.set("tag", tagId);
  return url.href;
}
