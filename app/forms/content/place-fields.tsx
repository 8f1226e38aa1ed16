import { NumberField } from "~/components/fields/number-field";
import { useTranslation } from "~/i18n/translation";

/** Returns the props of a field, by its name. */
export type FieldMaker = (name: string) => {
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly onChange: (event: { currentTarget: { value: string } }) => void;
  readonly error: readonly string[];
};

/** Names of the fields for the position and the direction of an item. */
export const POINT_FIELDS = ["position", "normal"].flatMap((name) =>
  ["x", "y", "z"].map((axis) => `${name}.${axis}`),
);

/** Returns a short text for the typed point; null if all of its fields are empty. */
export function pointText(input: object, name: string): string | null {
  const coordinates = ["x", "y", "z"].map(
    (axis) => (input as Readonly<Record<string, string>>)[`${name}.${axis}`],
  );
  return coordinates.some(Boolean) ? coordinates.join(" / ") : null;
}

/** Three number fields for a point or a direction, side by side. */
export function PointFields({
  name,
  legend,
  hint,
  unit,
  field,
}: {
  readonly name: "position" | "normal" | "view";
  readonly legend: string;
  readonly hint?: string;
  readonly unit?: string;
  readonly field: FieldMaker;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      {hint && <p className="-mt-1 text-xs text-muted text-phrase">{hint}</p>}
      <div className="grid grid-cols-3 gap-2">
        {(["x", "y", "z"] as const).map((axis) => (
          <NumberField
            key={axis}
            {...field(`${name}.${axis}`)}
            label={t(`content:axes.${axis}`)}
            step="any"
            unit={unit}
          />
        ))}
      </div>
    </fieldset>
  );
}
