import { type Request as MiniflareRequest, Response as MiniflareResponse } from "miniflare";

/** Maximum number of pixels, as in Cloudflare Images. */
const MAX_PIXELS = 100_000_000;

/**
 * A service binding that replaces Cloudflare Images on this machine. POST a file to `?width=&height=&type=&quality=` to get it as
 * an image. Type "rgba" resizes it to exactly that size and returns its pixels. Miniflare's own simulation ignores the EXIF
 * orientation of phone photos and takes seconds for one AVIF.
 */
export async function localImages(request: MiniflareRequest): Promise<MiniflareResponse> {
  const { searchParams } = new URL(request.url);
  const type = searchParams.get("type");
  const [width, height, quality] = ["width", "height", "quality"].map((name) =>
    Number(searchParams.get(name)),
  );
  try {
    // Loaded on first use, because every start of the product would otherwise wait for it.
    const { default: sharp } = await import("sharp");
    const original = sharp(Buffer.from(await request.arrayBuffer()), {
      limitInputPixels: MAX_PIXELS,
      autoOrient: true,
    });
    if (type === "rgba") {
      const pixels = original
        .resize({ width, height, fit: "fill" })
        .toColourspace("srgb")
        .ensureAlpha()
        .raw();
      return new MiniflareResponse(new Uint8Array(await pixels.toBuffer()));
    }
    const image = original.resize({ width, height, fit: "inside", withoutEnlargement: true });
    if (type === "image/avif") image.avif({ quality, effort: 0 });
    else if (type === "image/webp") image.webp({ quality, effort: 2 });
    else if (type === "image/jpeg") image.flatten({ background: "#ffffff" }).jpeg({ quality });
    else image.png();
    return new MiniflareResponse(new Uint8Array(await image.toBuffer()));
  } catch (error) {
    return new MiniflareResponse(error instanceof Error ? error.message : "The image cannot be read", {
      status: 415,
    });
  }
}
