import { FieldDetails } from "~/components/fields/field-details";
import { NumberField } from "~/components/fields/number-field";
import { useHydrated } from "~/components/use-hydrated";
import { EYE_HEIGHT } from "~/domain/shared/limits";
import type { SourceErrors, SourceValues } from "~/domain/spaces/space-source-form";
import { useTranslation } from "~/i18n/translation";
import { LightFields } from "./light";
import { ModelFields } from "./model-fields";
import type { SourceFile, SourceFiles } from "./read.server";
import { SplatFields } from "./splat-fields";
import { useSourceField } from "./use-source-field";

const FIELDS = [
  ...(["eyeHeight", "light", "lightMediaId", "up", "scale", "modelUp"] as const),
  ...(["turn", "scene", "animation", "moves", "variant"] as const),
] as const satisfies readonly (keyof SourceErrors)[];

export interface DisplayFieldsProps {
  readonly kind: "model" | "splat";
  readonly values: SourceValues;
  readonly errors: SourceErrors;
  readonly files: SourceFiles;
  /** HDR panoramas for the light of a new model space; null on other pages. */
  readonly lights: readonly SourceFile[] | null;
  readonly isNew: boolean;
  /** URL of the model or splat file. */
  readonly url: string | undefined;
  onChange(changes: Partial<SourceValues>): void;
}

/** Fields for the display of a file, for example its size, rotation and light. They rarely need a change, so for a new space their group is closed. */
export function DisplayFields({
  kind,
  values,
  errors,
  files,
  lights,
  isNew,
  url,
  onChange,
}: DisplayFieldsProps) {
  const { t } = useTranslation();
  const isHydrated = useHydrated();
  const field = useSourceField({ values, errors, onChange });
  return (
    <div className="max-w-xl border-y border-line">
      <FieldDetails
        name="space-display"
        title={t("spaces:sources.display")}
        summary={t("spaces:sources.displaySummary")}
        startsOpen={!isNew}
        hasError={FIELDS.some((name) => errors[name] !== undefined)}
      >
        <NumberField
          {...field("eyeHeight")}
          label={t("spaces:sources.eyeHeight")}
          hint={t("spaces:sources.eyeHeightHint")}
          unit="m"
          step="any"
          min={EYE_HEIGHT.min}
          max={EYE_HEIGHT.max}
        />
        {kind === "model" ? (
          <>
            <LightFields
              {...field("light")}
              lights={lights}
              values={values}
              files={files}
              errors={errors}
              onImage={onChange}
            />
            <ModelFields values={values} errors={errors} url={url} onChange={onChange} />
          </>
        ) : (
          <SplatFields {...field("up")} isHydrated={isHydrated} />
        )}
      </FieldDetails>
    </div>
  );
}
