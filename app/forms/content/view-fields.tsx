import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { useTranslation } from "~/i18n/translation";
import { type FieldMaker, PointFields } from "./place-fields";

export interface ViewFieldsProps {
  readonly field: FieldMaker;
  readonly input: { readonly "view.node": string };
  /** Whether the view can be omitted, which the mode field then offers. */
  readonly optional?: boolean;
  /** The panoramas that a view can start in. Without any, the view keeps its panorama. */
  readonly rooms?: readonly { readonly id: string; readonly title: string }[];
}

/** The fields of a view: mode, position and direction. */
export function ViewFields({ field, input, optional = false, rooms = [] }: ViewFieldsProps) {
  const { t } = useTranslation();
  const node = input["view.node"];
  const known = node === "" || rooms.some(({ id }) => id === node);
  return (
    <>
      <SelectField
        {...field("view.mode")}
        label={t("content:view.mode")}
        options={[
          ...(optional ? [{ value: "", label: t("content:view.none") }] : []),
          { value: "walk", label: t("visitors-late:viewer.walk") },
          { value: "orbit", label: t("visitors-late:viewer.overview") },
          { value: "plan", label: t("visitors-late:viewer.plan") },
        ]}
      />
      <PointFields name="view" legend={t("content:view.position")} field={field} />
      <div className="grid grid-cols-2 gap-2">
        <NumberField {...field("view.yaw")} label={t("content:view.yaw")} step="any" unit="°" />
        <NumberField {...field("view.pitch")} label={t("content:view.pitch")} step="any" unit="°" />
      </div>
      {rooms.length > 0 ? (
        <SelectField
          {...field("view.node")}
          label={t("content:sceneEditor.view.room")}
          options={[
            { value: "", label: t("content:sceneEditor.view.anyRoom") },
            ...rooms.map(({ id, title }) => ({ value: id, label: title || id })),
            ...(known ? [] : [{ value: node, label: node }]),
          ]}
        />
      ) : (
        <input type="hidden" name="view.node" value={node} />
      )}
    </>
  );
}
