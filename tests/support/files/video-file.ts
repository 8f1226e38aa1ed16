/** Creates short videos in VP8 for tests: an image whose colour changes. */
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  type MkvOutputFormat,
  Output,
  type WebMOutputFormat,
} from "mediabunny";
import sharp from "sharp";

const SIZE = { width: 640, height: 360 };
const FRAMES_PER_SECOND = 10;

/**
 * Creates a video.
 * @param count number of frames, at ten per second
 */
export async function createVideo(
  count: number,
  format: WebMOutputFormat | MkvOutputFormat,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const video = new EncodedVideoPacketSource("vp8");
  output.addVideoTrack(video, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  const decoderConfig = { codec: "vp8", codedWidth: SIZE.width, codedHeight: SIZE.height };
  for (let index = 0; index < count; index++) {
    const frame = await keyFrame({ r: 40, g: 80, b: Math.round((255 * index) / count) });
    const packet = new EncodedPacket(frame, "key", index / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND);
    await video.add(packet, { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}

/** A lossy WebP image contains exactly one VP8 key frame (RFC 9649, section 2.5). */
async function keyFrame(background: { r: number; g: number; b: number }): Promise<Uint8Array> {
  const webp = await sharp({ create: { ...SIZE, channels: 3, background } })
    .webp({ quality: 40 })
    .toBuffer();
  const chunk = webp.indexOf("VP8 ");
  return webp.subarray(chunk + 8, chunk + 8 + webp.readUInt32LE(chunk + 4));
}
