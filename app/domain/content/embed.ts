/** A viewer in a page of somebody else. */
export interface Embed {
  /** The address of the viewer, absolute. */
  readonly src: string;
  /** What the frame is called, for people who cannot see it. */
  readonly title: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The size of a frame for which none was asked, in pixels. */
export const EMBED_SIZE = { width: 960, height: 600 } as const;
/** Lower frames show nothing that anybody could use. */
const LOWEST = 150;
/**
 * What a framed viewer may use of the visitor's device, if the visitor allows it. Full screen is allowed by an attribute of its own, which
 * every browser knows; named in both places, Chrome warns in the console of the site that embeds.
 */
const ALLOW = "xr-spatial-tracking; gyroscope; accelerometer; clipboard-write; autoplay";

const attribute = (value: string) =>
  value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The HTML that puts a viewer into another site's page. */
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
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${attribute(value)}"`);
  return `<iframe ${written.join(" ")} allowfullscreen></iframe>`;
}

/** A length that an oEmbed consumer allows (maxwidth, maxheight); null for none, or none that makes sense. */
export function readMaximum(value: string | null): number | null {
  if (value === null || !/^\d{1,6}$/.test(value)) return null;
  return Number(value) > 0 ? Number(value) : null;
}

/** The size of a frame within what is allowed: as wide as may be, and in the shape of EMBED_SIZE where that fits. */
export function embedSize(
  maxWidth: number | null,
  maxHeight: number | null,
): { width: number; height: number } {
  const width = Math.min(EMBED_SIZE.width, maxWidth ?? EMBED_SIZE.width);
  const shaped = Math.max(LOWEST, Math.round((width * EMBED_SIZE.height) / EMBED_SIZE.width));
  return { width, height: Math.min(shaped, maxHeight ?? shaped) };
}
