import { type ReactNode, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import type { Viewpoint } from "~/viewer/Viewer";
import { useEditorView } from "../editor/editor-context";

/** Returns a button handler that needs the current view, and the message if there is no view yet. */
export function useTakeView(
  onView: (view: Viewpoint) => void,
): readonly [take: () => void, notReady: ReactNode] {
  const { t } = useTranslation();
  const { stage } = useEditorView();
  const [missing, setMissing] = useState(false);
  const take = () => {
    const view = stage.current?.viewpoint() ?? null;
    setMissing(view === null);
    if (view) onView(view);
  };
  return [
    take,
    <p key="not-ready" role="status" className="text-sm text-warning empty:sr-only">
      {missing && t("content:sceneEditor.view.notReady")}
    </p>,
  ];
}
