import { useSearchParams } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { Menu, MenuButton, MenuDivider, MenuLink } from "~/components/menus/menu";
import { Notice } from "~/components/status/notice";
import { EmptyState } from "~/components/status/states";
import { useTranslation } from "~/i18n/translation";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";
import type { Picker } from "../media-picker/read.server";
import { PlanAlign } from "./plan-align";
import { PlanDrawProblem, usePlanDraw } from "./plan-draw";
import { PlanForm } from "./plan-form";
import { PlanPicker } from "./plan-picker";

export interface PlanPanelProps {
  readonly picker: Picker | null;
  readonly outcome: ContentOutcome | null;
}

const TITLE_ID = "plan-panel-title";

const focusTitle = () => document.getElementById(TITLE_ID)?.focus();

/** Panel of the floor plan: its image and its position in the space. */
export function PlanPanel({ picker, outcome }: PlanPanelProps) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const { state } = useEditorView();
  const { plan } = state.content.scene;
  if (picker && searchParams.get("pick") === "plan") return <PlanPicker picker={picker} />;
  return plan || outcome?.scene ? (
    <ChosenPlan outcome={outcome} />
  ) : (
    <section aria-labelledby={TITLE_ID}>
      <h2 id={TITLE_ID} tabIndex={-1} className="sr-only">
        {t("content:sceneEditor.plan.title")}
      </h2>
      <NoPlan />
    </section>
  );
}

/** Offers the ways to create the first floor plan. */
function NoPlan() {
  const { t } = useTranslation();
  const draw = usePlanDraw();
  return (
    <EmptyState
      icon="plan"
      title={t("content:sceneEditor.plan.none")}
      action={
        <ButtonRow>
          <LinkButton icon="picture" variant="primary" href={panelHref("plan", { pick: "plan" })} keepScroll>
            {t("content:sceneEditor.plan.choose")}
          </LinkButton>
          {draw && (
            <Button icon="plan" pending={draw.isBusy} onClick={draw.start}>
              {t("content:sceneEditor.plan.draw")}
            </Button>
          )}
          <PlanDrawProblem draw={draw} />
        </ButtonRow>
      }
    >
      {t("content:sceneEditor.plan.noneText")}
    </EmptyState>
  );
}

/** The event's floor plan, with a menu of actions that replace or remove it. */
function ChosenPlan({ outcome }: Pick<PlanPanelProps, "outcome">) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const { editor, state } = useEditorView();
  const { plan } = state.content.scene;
  const draw = usePlanDraw();
  const remove = () => {
    editor?.run([{ op: "update_scene", values: { plan: null } }]);
    // The menu that had the focus was removed together with the plan.
    requestAnimationFrame(() => requestAnimationFrame(focusTitle));
  };
  return (
    <section aria-labelledby={TITLE_ID} className="grid grid-cols-1 gap-4">
      <div className="flex items-center justify-between gap-4">
        <h2 id={TITLE_ID} tabIndex={-1} className="text-base font-semibold">
          {t("content:sceneEditor.plan.title")}
        </h2>
        <Menu label={t("content:sceneEditor.plan.more")} trigger={<Icon name="more" />}>
          <MenuLink icon="picture" href={panelHref("plan", { pick: "plan" })} keepScroll>
            {t("content:sceneEditor.plan.another")}
          </MenuLink>
          {draw && (
            <MenuButton icon="plan" onClick={draw.start}>
              {t("content:sceneEditor.plan.draw")}
            </MenuButton>
          )}
          {editor && plan && (
            <>
              <MenuDivider />
              <MenuButton icon="trash" onClick={remove}>
                {t("content:sceneEditor.plan.remove")}
              </MenuButton>
            </>
          )}
        </Menu>
      </div>
      <PlanDrawProblem draw={draw} />
      <PlanProblem />
      {plan && <PlanAlign key={plan.mediaId} plan={plan} />}
      {/* PlanForm aligns the plan by numbers, the only way without scripts. With scripts, it is hidden unless the plan is being aligned, missing or rejected. */}
      <div className={plan && !searchParams.has("align") && !outcome?.scene ? "without-script" : undefined}>
        <PlanForm outcome={outcome} />
      </div>
    </section>
  );
}

/** Explains why visitors do not see the event's floor plan: its image is deleted, hidden or of unknown size. Does not report an image whose file is hidden. */
function PlanProblem() {
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
