import { type Request as MiniflareRequest, Response as MiniflareResponse } from "miniflare";

/** As many pixels as Cloudflare's Images take. */
const MAX_PIXELS = 100_000_000;

/**
 * A service binding that stands for Cloudflare's Images on this machine: POST a file to `?width=&height=&type=&quality=`, and get it as
 * a picture; type "rgba" squeezes it to that size and sends its pixels. Miniflare has an imitation of its own, but it leaves the pictures of telephones lying on their side and takes
 * seconds for one AVIF.
 */
export async function localPictures(request: MiniflareRequest): Promise<MiniflareResponse> {
  const { searchParams } = new URL(request.url);
  const type = searchParams.get("type");
  const [width, height, quality] = ["width", "height", "quality"].map((name) =>
    Number(searchParams.get(name)),
  );
  try {
    // Not before it is needed: every start of the product would wait for it.
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
    const picture = original.resize({ width, height, fit: "inside", withoutEnlargement: true });
    if (type === "image/avif") picture.avif({ quality, effort: 0 });
    else if (type === "image/webp") picture.webp({ quality, effort: 2 });
    else if (type === "image/jpeg") picture.flatten({ background: "#ffffff" }).jpeg({ quality });
    else picture.png();
    return new MiniflareResponse(new Uint8Array(await picture.toBuffer()));
  } catch (error) {
    return new MiniflareResponse(error instanceof Error ? error.message : "No picture", { status: 415 });
  }
}
