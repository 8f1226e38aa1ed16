import { type ReactNode, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import type { Viewpoint } from "~/viewer/Viewer";
import { useEditorView } from "../editor/editor-context";

/** Returns a handler that passes the current view to `onView`, and a message that is displayed if there is no view yet. */
export function useCaptureView(
  onView: (view: Viewpoint) => void,
): readonly [captureView: () => void, notReadyNotice: ReactNode] {
  const { t } = useTranslation();
  const { stage } = useEditorView();
  const [isMissing, setMissing] = useState(false);
  const captureView = () => {
    const view = stage.current?.viewpoint() ?? null;
    setMissing(view === null);
    if (view) onView(view);
  };
  return [
    captureView,
    <p key="not-ready" role="status" className="text-sm text-warning empty:sr-only">
      {isMissing && t("content:sceneEditor.view.notReady")}
    </p>,
  ];
}
