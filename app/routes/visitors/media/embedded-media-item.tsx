import { WebPlayer } from "~/components/media/web-player";
import type { SceneMediaItem } from "../scene/scene-types";
import { StagedMediaItem } from "./staged-media-item";

/** Content of a media item beyond images, videos and sounds: the player of a web media item (a video or page of another site), and items that open in their own viewer. */
export default function EmbeddedMediaItem({
  item,
}: {
  readonly item: Pick<SceneMediaItem, "kind" | "title" | "frame" | "stage">;
}) {
  const { frame, stage } = item;
  return (
    <>
      {frame && <WebPlayer {...frame} />}
      {stage && <StagedMediaItem item={item} stage={stage} />}
    </>
  );
}
