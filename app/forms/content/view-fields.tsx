import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { useTranslation } from "~/i18n/translation";
import { type FieldMaker, PointFields } from "./place-fields";

/** Modes of a view. */
export const VIEW_MODES = ["walk", "orbit", "plan"] as const;
/** Message keys of the modes. */
export const VIEW_MODE_LABELS = {
  walk: "visitors-late:viewer.walk",
  orbit: "visitors-late:viewer.overview",
  plan: "visitors-late:viewer.plan",
} as const;

/** Names of the fields that show the errors of a view. */
export const VIEW_CONTROLS = [
  "view.mode",
  "view.x",
  "view.y",
  "view.z",
  "view.yaw",
  "view.pitch",
  "view.node",
];

export interface ViewFieldsProps {
  readonly field: FieldMaker;
  readonly input: { readonly "view.node": string };
  /** Whether the view may be empty, which the mode field then offers. */
  readonly optional?: boolean;
  /** Panoramas in which a view can start. Without this list, the view keeps its panorama. */
  readonly panoramas?: readonly { readonly id: string; readonly title: string }[];
}

/** The fields of a view: mode, position, direction and panorama. */
export function ViewFields({ field, input, optional = false, panoramas = [] }: ViewFieldsProps) {
  const { t } = useTranslation();
  const node = input["view.node"];
  const isListed = node === "" || panoramas.some(({ id }) => id === node);
  return (
    <>
      <SelectField
        {...field("view.mode")}
        label={t("content:view.mode")}
        options={[
          ...(optional ? [{ value: "", label: t("content:view.none") }] : []),
          ...VIEW_MODES.map((value) => ({ value, label: t(VIEW_MODE_LABELS[value]) })),
        ]}
      />
      <PointFields name="view" legend={t("content:view.position")} field={field} />
      <div className="grid grid-cols-2 gap-2">
        <NumberField {...field("view.yaw")} label={t("content:view.yaw")} step="any" unit="°" />
        <NumberField {...field("view.pitch")} label={t("content:view.pitch")} step="any" unit="°" />
      </div>
      {panoramas.length > 0 ? (
        <SelectField
          {...field("view.node")}
          label={t("content:sceneEditor.view.room")}
          options={[
            { value: "", label: t("content:sceneEditor.view.anyRoom") },
            ...panoramas.map(({ id, title }) => ({ value: id, label: title || id })),
            ...(isListed ? [] : [{ value: node, label: node }]),
          ]}
        />
      ) : (
        <input type="hidden" name="view.node" value={node} />
      )}
    </>
  );
}
