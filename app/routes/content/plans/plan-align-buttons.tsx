import { Button, LinkButton } from "~/components/button";
import { cx } from "~/components/cx";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";

export interface PlanAlignButtonsProps {
  readonly isAligning: boolean;
  /** Releases the aligned markers, so that the alignment can begin again; null if there are none. */
  readonly onReset: (() => void) | null;
}

/** Starts and ends the alignment of the floor plan. */
export function PlanAlignButtons({ isAligning, onReset }: PlanAlignButtonsProps) {
  const { t } = useTranslation();
  const { editor } = useEditorView();
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton
        href={panelHref("plan", isAligning ? {} : { align: "1" })}
        keepScroll
        // `editor` is null until it has loaded.
        className={cx("needs-script", !editor && "invisible")}
      >
        {t(isAligning ? "content:sceneEditor.plan.alignDone" : "content:sceneEditor.plan.align")}
      </LinkButton>
      {onReset && (
        <Button variant="quiet" icon="retry" onClick={onReset}>
          {t("content:sceneEditor.plan.releaseMarkers")}
        </Button>
      )}
    </div>
  );
}
