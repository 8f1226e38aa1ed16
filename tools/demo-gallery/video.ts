/** Makes a short silent video of the wave print's moving sea. Each frame is drawn as shapes, and ffmpeg encodes the frames. */
import { availableParallelism } from "node:os";
import sharp from "sharp";
import { ffmpeg } from "./ffmpeg";
import { lerp } from "./noise";
import { formatSvgNumber } from "./prints/press";

/** Size in pixels, number of frames, and frames per second. */
export const video = { width: 640, height: 360, frames: 80, perSecond: 10 };

/** Encodes H.264 in MP4, which all common browsers play, with the index at the start so that it plays while it loads. */
export async function makeVideo(): Promise<Buffer> {
  const frames: Buffer[] = new Array(video.frames);
  let nextFrame = 0;
  const draw = async (): Promise<void> => {
    for (let i = nextFrame++; i < video.frames; i = nextFrame++)
      frames[i] = await renderFrame(i / video.frames);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, draw));
  return ffmpeg(
    [
      ...[
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        `${video.width}x${video.height}`,
        "-r",
        String(video.perSecond),
      ],
      ...["-i", "pipe:0", "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p"],
      ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
      ...["-c:v", "libx264", "-preset", "veryslow", "-tune", "animation", "-crf", "20", "-g", "20"],
      ...["-movflags", "+faststart"],
    ],
    Buffer.concat(frames),
    "mp4",
  );
}

/** @param t time as a share of the video, from 0 to below 1. The last frame continues in the first one. */
const renderFrame = (t: number): Promise<Buffer> =>
  sharp(Buffer.from(createSvg(t)))
    .flatten()
    .removeAlpha()
    .raw()
    .toBuffer();

function createSvg(t: number): string {
  const { width, height } = video;
  const phase = 2 * Math.PI * t;
  const horizon = height * 0.34;
  const farColour = [176, 195, 218];
  const nearColour = [34, 54, 107];
  const shade = (k: number, dark = 1): string =>
    `rgb(${[0, 1, 2].map((c) => Math.round(lerp(farColour[c] as number, nearColour[c] as number, k) * dark)).join()})`;
  const shapes: string[] = [];
  const sunY = horizon - height * (0.06 + 0.05 * Math.sin(phase - Math.PI / 2));
  shapes.push(
    `<circle cx="${formatSvgNumber(width * 0.68)}" cy="${formatSvgNumber(sunY)}" r="${formatSvgNumber(height * 0.085)}" fill="#c9442c"/>`,
  );
  shapes.push(
    `<rect y="${formatSvgNumber(horizon)}" width="${width}" height="${formatSvgNumber(height - horizon)}" fill="${shade(0.1)}"/>`,
  );
  let radius = width * 0.017;
  let y = horizon + radius * 0.6;
  for (let row = 0; y - radius < height + radius * 0.6; row++) {
    const k = Math.min(1, (y - horizon) / (height - horizon));
    const sway = radius * 0.55 * Math.sin(phase + row * 0.55) + (row % 2) * radius;
    const offset = radius * 0.13 * Math.cos(phase + row * 0.55);
    const count = Math.ceil(width / radius / 4) + 2;
    for (let i = -count; i <= count; i++) {
      const x = width / 2 + i * 2 * radius + sway;
      const ring = (r: number, fill: string): string =>
        `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y + offset)}" r="${formatSvgNumber(radius * r)}" fill="${fill}"/>`;
      shapes.push(
        ring(1, shade(k, 0.78)),
        ring(0.94, "#eef0ea"),
        ring(0.9, shade(k)),
        ring(0.7, "#eef0ea"),
        ring(0.66, shade(k * 0.62)),
        ring(0.46, "#eef0ea"),
        ring(0.24, shade(k)),
      );
    }
    const nextRadius = radius * 1.22;
    y += nextRadius * 0.6;
    radius = nextRadius;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#7f96c0"/><stop offset=".6" stop-color="#e9e4d6"/><stop offset="1" stop-color="#eecfaa"/></linearGradient></defs><rect width="${width}" height="${formatSvgNumber(horizon + 1)}" fill="url(#s)"/>${shapes.join("")}</svg>`;
}
