import { WebPlayer } from "~/components/web-player";
import type { SceneMedium } from "../scene/scene-types";
import { StagedMedium } from "./staged-media-item";

/** What is shown of a medium that needs more than a picture, a film or a sound: the player of a web medium, and what opens in a viewer of its own. */
export default function MoreMedium({
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
