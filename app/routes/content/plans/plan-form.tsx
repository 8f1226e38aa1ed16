import { Button } from "~/components/button";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { PLAN_WIDTH_MAX } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import { useContentField } from "~/forms/content/content-field";
import { checkPlan } from "~/forms/content/scene-check";
import {
  PLAN_FIELDS,
  type PlanInput,
  type PlanValues,
  planInput,
  SCENE_CONTROLS,
} from "~/forms/content/scene-input";
import { useTranslation } from "~/i18n/translation";
import { useDraft } from "../drafts/use-draft";
import type { ContentOutcome } from "../editor/content-post.server";
import { useEditorView } from "../editor/editor-context";
import { rejectedInput, SceneForm } from "../scene/scene-form";

const EDITED_FIELDS = ["plan"];

/** Form of the plan's image, and of its position, width and rotation as numbers. */
export function PlanForm({ outcome }: { readonly outcome: ContentOutcome | null }) {
  const { t, language } = useTranslation();
  const { editor, state } = useEditorView();
  const { scene, media } = state.content;
  const draft = useDraft<PlanValues, PlanInput>({
    item: scene,
    fields: EDITED_FIELDS,
    rejected: rejectedInput(outcome),
    toInput: planInput,
    read: checkPlan,
    onValues: (values, name) => {
      editor?.run([{ op: "update_scene", values }], `plan ${name}`);
      return editor !== null;
    },
  });
  const { input } = draft;
  const field = useContentField({ id: "plan", ...draft }, SCENE_CONTROLS);
  const images = media.filter(({ kind }) => kind === "image");
  const isListed = images.some(({ id }) => id === input.mediaId);
  const removeLabel = t("content:sceneEditor.plan.remove");
  return (
    <SceneForm
      intent="plan"
      id="plan"
      label={t("content:sceneEditor.plan.form")}
      fields={PLAN_FIELDS}
      input={input}
      errors={draft.errors}
      onField={draft.onField}
      originalValues={scene.plan}
      outcome={outcome}
      buttons={
        <Button type="submit" name="do" value="remove" variant="quiet" icon="trash">
          {removeLabel}
        </Button>
      }
    >
      <FieldDetailsList>
        <FieldDetails
          name="plan-numbers"
          title={t("content:sceneEditor.view.numbers")}
          summary={`${input.width} ${t("content:metres")}, ${input.rotation}°`}
          hasError={Object.keys(draft.errors).length > 0}
        >
          <SelectField
            {...field("mediaId")}
            label={t("content:sceneEditor.plan.image")}
            options={[
              ...images.map(({ id, title }) => ({
                value: id,
                label: inLanguage(title, language).text || t("content:untitled"),
              })),
              ...(isListed
                ? []
                : [{ value: input.mediaId, label: t("content:sceneEditor.plan.deletedImage") }]),
            ]}
          />
          <fieldset className="grid gap-1.5">
            <legend className="mb-1.5 text-sm font-semibold">{t("content:sceneEditor.plan.center")}</legend>
            <p className="-mt-1 text-xs text-muted text-phrase">{t("content:sceneEditor.plan.centerHint")}</p>
            <div className="grid grid-cols-2 gap-2">
              <NumberField {...field("center.x")} label={t("content:axes.x")} step="any" />
              <NumberField {...field("center.z")} label={t("content:axes.z")} step="any" />
            </div>
          </fieldset>
          <div className="grid grid-cols-2 items-start gap-2">
            <NumberField
              {...field("width")}
              label={t("content:sceneEditor.plan.width")}
              min={0}
              max={PLAN_WIDTH_MAX}
              step="any"
              unit={t("content:metres")}
            />
            <NumberField
              {...field("rotation")}
              label={t("content:sceneEditor.plan.rotation")}
              hint={t("content:sceneEditor.plan.rotationHint")}
              step="any"
              unit="°"
            />
          </div>
        </FieldDetails>
      </FieldDetailsList>
    </SceneForm>
  );
}
