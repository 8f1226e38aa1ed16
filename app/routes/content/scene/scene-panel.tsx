import { useSearchParams } from "@remix-run/react";
import { Notice } from "~/components/status/notice";
import type { Uuid } from "~/domain/shared/model";
import { SCENE_ID } from "~/features/content/editor/content";
import { useMessage } from "~/forms/shared/user-message";
import { ConflictNotice, FormConflict } from "../drafts/conflict-notice";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { panelHref, type ScenePart } from "../editor/panels";
import type { Picker } from "../media-picker/read.server";
import { PlanPanel } from "../plans/plan-panel";
import { TourPanel } from "../tours/tour-panel";
import { StartPanel } from "./start-panel";

export interface ScenePanelProps {
  readonly part: ScenePart;
  readonly picker: Picker | null;
  readonly newId: Uuid;
  readonly outcome: ContentOutcome | null;
}

/** Panels of the scene: start view, tour and floor plan, with their conflicts. */
export function ScenePanel({ part, picker, newId, outcome: result }: ScenePanelProps) {
  // The result of another panel's form that was posted to this URL does not fill this panel's fields.
  const outcome = result?.scene && result.scene.part !== part ? withoutScene(result) : result;
  const message = useMessage();
  const [searchParams] = useSearchParams();
  const { state } = useEditorView();
  const conflict = state.conflicts.find(({ id }) => id === SCENE_ID);
  const stop = searchParams.get("stop");
  return (
    <div className="grid grid-cols-1 gap-6">
      {conflict && <ConflictNotice conflict={conflict} />}
      {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
      {outcome?.conflict && (
        <FormConflict conflict={outcome.conflict} savedValuesHref={panelHref(part, stop ? { stop } : {})} />
      )}
      {part === "start" && <StartPanel outcome={outcome} />}
      {part === "tour" && <TourPanel newId={newId} outcome={outcome} />}
      {part === "plan" && <PlanPanel picker={picker} outcome={outcome} />}
    </div>
  );
}

const withoutScene = ({ scene: _, ...outcome }: ContentOutcome): ContentOutcome => outcome;
