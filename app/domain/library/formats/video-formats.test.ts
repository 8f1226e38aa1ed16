import { expect, it } from "vitest";
import { getPreparationNeed } from "../preparation";
import { typeToConvert, unplayableAudio, unreadableVideo, videoHandling } from "./video-formats";

it.each([
  ["avc", "avc1", "avc1.640028", { kind: "playable" }],
  ["avc", "avc1", "avc1.6e0028", { kind: "convertible", codec: "avc1.6e" }],
  ["hevc", "hvc1", "hvc1.1.6.L93.B0", { kind: "convertible", codec: "hvc1" }],
  ["vp9", "V_VP9", "vp09.00.10.08", { kind: "playable" }],
  ["prores", "apch", "apch", { kind: "unplayable", name: "Apple ProRes" }],
  [null, "mp4v", null, { kind: "unplayable", name: "MPEG-4 part 2" }],
  [null, "dvc ", null, { kind: "unplayable", name: "DV" }],
  [null, null, null, { kind: "unplayable", name: "" }],
] as const)("video of %s (%s, %s) is %o", (codec, entry, parameters, handling) => {
  expect(videoHandling(codec, entry, parameters)).toEqual(handling);
});

it.each([
  ["aac", "mp4a", "video/mp4", null],
  ["vorbis", "A_VORBIS", "video/webm", null],
  ["pcm-s16", 1, "audio/wav", null],
  ["pcm-s16", "sowt", "video/quicktime", "PCM"],
  ["ac3", "ac-3", "video/mp4", "Dolby Digital, AC-3"],
  [null, "alac", "audio/mp4", "Apple Lossless"],
  [null, "QDM2", "video/quicktime", "QDM2"],
] as const)("audio of %s (%s) in %s: %o", (codec, entry, mimeType, name) => {
  expect(unplayableAudio(codec, entry, mimeType)).toBe(name);
});

const createVideo = (mimeType: string) => ({ mimeType, width: 1920, height: 1080 });

it("videos whose type names a codec, and MPEG transport streams, have to be converted, unlike plain MP4 files", () => {
  expect(getPreparationNeed(createVideo(typeToConvert("video/mp4", "hvc1")))).toBe("required");
  expect(getPreparationNeed(createVideo("video/mp2t"))).toBe("required");
  expect(getPreparationNeed(createVideo("video/mp4"))).toBe(null);
});

/** Creates an AVI file up to the format of its video stream. */
const avi = (handler: string, compression: string) => {
  const zeros = (count: number) => "\0".repeat(count);
  return new TextEncoder().encode(
    `RIFF${zeros(4)}AVI LIST${zeros(4)}hdrlavih${zeros(60)}LIST${zeros(4)}strlstrh8${zeros(3)}vids${handler}${zeros(48)}strf(${zeros(19)}${compression}${zeros(20)}`,
  );
};

it.each([
  ["xvid", "XVID", "MPEG-4 part 2"],
  ["\0\0\0\0", "DX50", "MPEG-4 part 2"],
  ["MJPG", "\0\0\0\0", "uncompressed"],
  ["mjpg", "MJPG", "Motion JPEG"],
  ["H264", "H264", "AVI, H.264"],
  ["ZZZ9", "ZZZ9", "AVI, ZZZ9"],
])("an AVI video of %j and %j is rejected as %s", (handler, compression, name) => {
  expect(unreadableVideo(avi(handler, compression))).toBe(name);
});

it("an AVI video without a stream header is rejected as an AVI container", () => {
  expect(unreadableVideo(new TextEncoder().encode(`RIFF\0\0\0\0AVI LIST`))).toBe("AVI");
});

it("other files do not count as unreadable videos", () => {
  expect(unreadableVideo(new Uint8Array())).toBeNull();
  expect(unreadableVideo(new TextEncoder().encode("RIFF\0\0\0\0WAVEfmt "))).toBeNull();
});
