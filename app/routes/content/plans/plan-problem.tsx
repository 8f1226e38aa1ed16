import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";

/** Explains why visitors do not see the event's floor plan. Renders nothing if they do. */
export function PlanProblem() {
  const { t } = useTranslation();
  const { scene, media } = useEditorView().state.content;
  const mediaItem = media.find(({ id }) => id === scene.plan?.mediaId);
  const problem = !mediaItem
    ? "gone"
    : mediaItem.hidden
      ? "hidden"
      : mediaItem.width && mediaItem.height
        ? null
        : "noSize";
  return scene.plan && problem ? (
    <Notice tone="warning">{t(`content:sceneEditor.plan.${problem}`)}</Notice>
  ) : null;
}
