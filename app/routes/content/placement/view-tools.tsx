import { Button, ButtonRow } from "~/components/button";
import { useTranslation } from "~/i18n/translation";
import type { Viewpoint } from "~/viewer/Viewer";
import { useTakeView } from "./use-take-view";

export interface ViewToolsProps {
  readonly hasView: boolean;
  /** Called with the current view, or with null to remove the tag's view. */
  readonly onView: (view: Viewpoint | null) => void;
}

/** With scripts: buttons that give a tag the current view, or none. */
export function ViewTools({ hasView, onView }: ViewToolsProps) {
  const { t } = useTranslation();
  const [take, notReady] = useTakeView(onView);
  return (
    <ButtonRow>
      <Button icon="eye" onClick={take}>
        {t("content:view.take")}
      </Button>
      {hasView && (
        <Button variant="quiet" icon="close" onClick={() => onView(null)}>
          {t("content:view.clear")}
        </Button>
      )}
      {notReady}
    </ButtonRow>
  );
}
