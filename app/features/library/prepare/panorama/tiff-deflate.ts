import { BaseDecoder } from "geotiff";

/** Returns the number of unpacked bytes that a strip or tile of a TIFF should have. */
function countUnpackedBytes({
  tileWidth,
  tileHeight,
  bitsPerSample,
  planarConfiguration,
}: BaseDecoder["parameters"]): number {
  const bits = typeof bitsPerSample === "number" ? [bitsPerSample] : Array.from(bitsPerSample);
  const bitsPerPixel =
    planarConfiguration === 2 ? Math.max(...bits) : bits.reduce((sum, bitCount) => sum + bitCount, 0);
  return Math.ceil((tileWidth * bitsPerPixel) / 8) * tileHeight;
}

/** Unpacks deflated strips and tiles of a TIFF, up to the number of bytes that their pixels need. */
export default class BoundedDeflateDecoder extends BaseDecoder {
  override async decodeBlock(packed: ArrayBuffer): Promise<ArrayBuffer> {
    const pixels = new Uint8Array(countUnpackedBytes(this.parameters));
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    let offset = 0;
    while (offset < pixels.length) {
      const { done, value } = await reader.read();
      if (done) break;
      const part = value.subarray(0, pixels.length - offset);
      pixels.set(part, offset);
      offset += part.length;
    }
    await reader.cancel().catch(() => {});
    return pixels.buffer;
  }
}
