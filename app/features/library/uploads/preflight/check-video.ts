import { BlobSource, Input, MATROSKA, MP4, MPEG_TS, QTFF, WEBM } from "mediabunny";
import { videoHandling } from "~/domain/library/formats/video-formats";
import type { UploadProblem } from "../upload-state";

/**
 * Checks the codec of a video before the upload. When it cannot be read here, the server checks the video.
 * @returns the problem when no browser can play the video; null otherwise, and when this is unknown
 */
export async function checkVideo(file: File): Promise<UploadProblem | null> {
  const input = new Input({ formats: [MP4, QTFF, MATROSKA, WEBM, MPEG_TS], source: new BlobSource(file) });
  try {
    const videoTrack = await input.getPrimaryVideoTrack();
    if (!videoTrack) return null;
    const codecId = videoTrack.internalCodecId;
    const handling = videoHandling(
      await videoTrack.getCodec(),
      typeof codecId === "string" ? codecId : null,
      await videoTrack.getCodecParameterString(),
    );
    if (handling.kind !== "unplayable") return null;
    return { key: "library:errors.upload.format.film", values: { codec: handling.name } };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}
