/** A viewer that is embedded in another site's page. */
export interface Embed {
  /** The absolute URL of the viewer. */
  readonly src: string;
  /** The title of the frame, for assistive technology. */
  readonly title: string;
  /** Width and height of the frame, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The default size of a frame, in pixels. */
export const EMBED_SIZE = { width: 960, height: 600 } as const;
/** Minimum height of a frame in pixels, unless a lower one is requested. A viewer is not usable below it. */
const HEIGHT_MIN = 150;
/**
 * Browser features that a framed viewer may use. Full screen has an attribute of its own; when it is named in both places, Chrome logs a warning in
 * the console of the embedding site.
 */
const ALLOW = "xr-spatial-tracking; gyroscope; accelerometer; clipboard-write; autoplay";

const escapeAttribute = (value: string) =>
  value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns the HTML that embeds a viewer in a page of another site. */
export function embedHtml({ src, title, width, height }: Embed): string {
  const attributes = {
    src,
    title,
    width: String(width),
    height: String(height),
    style: "border:0;max-width:100%",
    allow: ALLOW,
    loading: "lazy",
    referrerpolicy: "strict-origin-when-cross-origin",
  };
  const attributeTexts = Object.entries(attributes).map(
    ([name, value]) => `${name}="${escapeAttribute(value)}"`,
  );
  return `<iframe ${attributeTexts.join(" ")} allowfullscreen></iframe>`;
}

/** Reads the maximum width or height of an oEmbed request (maxwidth, maxheight), in pixels; null when it is missing or invalid. */
export function readMaximum(value: string | null): number | null {
  if (value === null || !/^\d{1,6}$/.test(value)) return null;
  return Number(value) > 0 ? Number(value) : null;
}

/** Returns the size of a frame within the given limits: at most as wide as EMBED_SIZE, and with its aspect ratio where that fits. */
export function embedSize(
  maxWidth: number | null,
  maxHeight: number | null,
): { width: number; height: number } {
  const width = Math.min(EMBED_SIZE.width, maxWidth ?? EMBED_SIZE.width);
  const proportionalHeight = Math.max(HEIGHT_MIN, Math.round((width * EMBED_SIZE.height) / EMBED_SIZE.width));
  return { width, height: Math.min(proportionalHeight, maxHeight ?? proportionalHeight) };
}
