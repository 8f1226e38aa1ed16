import { useEffect, useState } from "react";
import { NumberField } from "~/components/fields/number-field";
import { SelectField } from "~/components/fields/select-field";
import { MODEL_CHOICE_MAX, MODEL_MOVES, MODEL_SCALE, MODEL_UPS } from "~/domain/spaces/model-display";
import type { SourceErrors, SourceValues } from "~/domain/spaces/space-source-form";
import { useTranslation } from "~/i18n/translation";
import { type ModelNames, readModelNames } from "~/viewer/core/model-summary";
import { useSourceField } from "./use-source-field";

/** Number of bytes at the beginning of a model in which its names are searched. */
const HEAD_BYTES = 2 * 1024 * 1024;

/** Reads the names of scenes, animations and variants from a model; null until they are known, and when they cannot be read. */
function useModelNames(url: string | undefined): ModelNames | null {
  const [names, setNames] = useState<ModelNames | null>(null);
  useEffect(() => {
    if (url === undefined) return;
    const controller = new AbortController();
    const read = async () => {
      const headers = { range: `bytes=0-${HEAD_BYTES - 1}` };
      const response = await fetch(url, { signal: controller.signal, headers });
      if (!response.ok) return;
      const names = readModelNames(new Uint8Array(await response.arrayBuffer()));
      if (!controller.signal.aborted) setNames(names);
    };
    // If the names cannot be read, the fields accept numbers.
    read().catch(() => {});
    return () => {
      controller.abort();
      setNames(null);
    };
  }, [url]);
  return names;
}

export interface ModelFieldsProps {
  readonly values: SourceValues;
  readonly errors: SourceErrors;
  /** URL of the model. */
  readonly url: string | undefined;
  onChange(changes: Partial<SourceValues>): void;
}

/** Fields for the display of a model: unit, up axis, rotation, scene, animation, what starts the animation, and variant. */
export function ModelFields({ values, errors, url, onChange }: ModelFieldsProps) {
  const { t } = useTranslation();
  const names = useModelNames(url);
  const field = useSourceField({ values, errors, onChange });
  const renderChoice = (
    name: "scene" | "animation" | "variant",
    entryNames: readonly string[] | undefined,
  ) => {
    const label = t(`spaces:sources.model.${name}`);
    // Without the names, or for a saved number without a name, the field accepts numbers.
    if (entryNames === undefined || Number(values[name]) > entryNames.length)
      return (
        <NumberField
          {...field(name)}
          label={label}
          hint={t("spaces:sources.model.numberHint")}
          min={1}
          max={MODEL_CHOICE_MAX}
        />
      );
    // A single scene or animation leaves no choice. A single variant does, because the model can be shown without it.
    if (entryNames.length <= (name === "variant" ? 0 : 1))
      return <input type="hidden" name={name} value={values[name]} />;
    const defaultOption = { value: "", label: t("spaces:sources.model.own") };
    const options = entryNames.map((text, index) => ({ value: String(index + 1), label: text }));
    return <SelectField {...field(name)} label={label} options={[defaultOption, ...options]} />;
  };
  return (
    <>
      <NumberField
        {...field("scale")}
        label={t("spaces:sources.model.scale")}
        hint={t("spaces:sources.model.scaleHint")}
        unit="m"
        step="any"
        min={MODEL_SCALE.min}
        max={MODEL_SCALE.max}
      />
      <SelectField
        {...field("modelUp")}
        label={t("spaces:sources.up")}
        hint={t("spaces:sources.upHint")}
        options={MODEL_UPS.map((up) => ({ value: up, label: t(`spaces:sources.model.ups.${up}`) }))}
      />
      <NumberField
        {...field("turn")}
        label={t("spaces:sources.model.turn")}
        hint={t("spaces:sources.model.turnHint")}
        unit="°"
        step="any"
      />
      {renderChoice("scene", names?.scenes)}
      {renderChoice("animation", names?.animations)}
      {names?.animations.length === 0 ? (
        <input type="hidden" name="moves" value={values.moves} />
      ) : (
        <SelectField
          {...field("moves")}
          label={t("spaces:sources.model.moves")}
          options={MODEL_MOVES.map((moves) => ({
            value: moves,
            label: t(`spaces:sources.model.move.${moves}`),
          }))}
        />
      )}
      {renderChoice("variant", names?.variants)}
    </>
  );
}
