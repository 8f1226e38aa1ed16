import { WebPlayer } from "~/components/media/web-player";
import type { SceneMedium } from "../scene/scene-types";
import { StagedMedium } from "./staged-media-item";

/** Content of a media item beyond images, videos and sounds: the player of a web medium (a video or page of another site), and items that open in their own viewer. */
export default function EmbeddedMedium({
  medium,
}: {
  readonly medium: Pick<SceneMedium, "kind" | "title" | "frame" | "stage">;
}) {
  const { frame, stage } = medium;
  return (
    <>
      {frame && <WebPlayer {...frame} />}
      {stage && <StagedMedium medium={medium} stage={stage} />}
    </>
  );
}
