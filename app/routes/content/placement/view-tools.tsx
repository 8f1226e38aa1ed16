import { Button, ButtonRow } from "~/components/button";
import { useTranslation } from "~/i18n/translation";
import type { Viewpoint } from "~/viewer/Viewer";
import { useCaptureView } from "./use-capture-view";

export interface ViewToolsProps {
  readonly hasView: boolean;
  /** Called with the current view, or with null to remove the tag's view. */
  readonly onView: (view: Viewpoint | null) => void;
}

/** With scripts: buttons that save the current view for a tag, or remove the tag's view. */
export function ViewTools({ hasView, onView }: ViewToolsProps) {
  const { t } = useTranslation();
  const [captureView, notReadyNotice] = useCaptureView(onView);
  return (
    <ButtonRow>
      <Button icon="eye" onClick={captureView}>
        {t("content:view.take")}
      </Button>
      {hasView && (
        <Button variant="quiet" icon="close" onClick={() => onView(null)}>
          {t("content:view.clear")}
        </Button>
      )}
      {notReadyNotice}
    </ButtonRow>
  );
}
