import { memo } from "react";
import { SelectField } from "~/components/fields/select-field";
import { useTranslation } from "~/i18n/translation";
import type { PlanItem } from "./plan-mark";

export interface PlanChoiceProps {
  readonly marks: readonly PlanItem[];
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

/** Select for the marker that the keyboard moves. */
export const PlanChoice = memo(function PlanChoice({ marks, value, onChoose }: PlanChoiceProps) {
  const { t } = useTranslation();
  return (
    <SelectField
      name="mark"
      id="plan-mark"
      label={t("content:sceneEditor.plan.mark")}
      hint={t("content:sceneEditor.plan.markHint")}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
      options={marks.map(({ id, title }) => ({ value: id, label: title || t("content:untitled") }))}
    />
  );
});
