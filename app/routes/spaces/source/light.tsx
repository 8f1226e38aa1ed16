import type { ChangeEventHandler } from "react";
import { LinkButton } from "~/components/button";
import { SelectField } from "~/components/fields/select-field";
import { SPACE_LIGHTS } from "~/domain/spaces/space-source.schema";
import type { SourceErrors, SourceValues } from "~/domain/spaces/space-source-form";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { SourceFile, SourceFiles } from "./read.server";

export interface LightFieldsProps {
  readonly name: string;
  readonly value: string;
  readonly error: readonly string[] | undefined;
  readonly onChange: ChangeEventHandler<HTMLSelectElement>;
  readonly values: SourceValues;
  readonly files: SourceFiles;
  readonly errors: SourceErrors;
  /** HDR panoramas in the form of a new space; null if they are chosen on a page of their own. */
  readonly lights: readonly SourceFile[] | null;
  readonly onImage: (values: Pick<SourceValues, "light" | "lightMediaId">) => void;
}

/** Fields for the light of a model: a built-in environment of the viewer, or an HDR panorama from the library. */
export function LightFields({ values, files, errors, lights, onImage, ...field }: LightFieldsProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const image = files[values.lightMediaId];
  const problems = errors.lightMediaId?.map(message) ?? [];
  return (
    <div className="grid gap-3">
      <SelectField
        {...field}
        label={t("spaces:sources.light")}
        hint={t("spaces:sources.lightHint")}
        options={SPACE_LIGHTS.map((light) => ({ value: light, label: t(`spaces:sources.lights.${light}`) }))}
      />
      {lights ? (
        <SelectField
          id="lightMediaId"
          name="lightMediaId"
          value={values.lightMediaId}
          label={t("spaces:sources.chooseLight")}
          hint={lights.length === 0 ? t("spaces:sources.noLights") : undefined}
          options={[
            { value: "", label: t("spaces:sources.noLight") },
            ...lights.map(({ id, title, size }) => ({ value: id, label: `${title} · ${size}` })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onImage({ lightMediaId: value, light: value === "" ? values.light : "file" })
          }
        />
      ) : (
        <div className="flex flex-wrap items-center gap-3 text-sm" id="lightMediaId" tabIndex={-1}>
          <input type="hidden" name="lightMediaId" value={values.lightMediaId} />
          <span className="min-w-0 flex-1 wrap-anywhere">
            {image ? `${image.title} · ${image.size}` : t("spaces:sources.noLight")}
          </span>
          <LinkButton href="?choose=light">{t("spaces:sources.chooseLight")}</LinkButton>
        </div>
      )}
      {problems.map((text) => (
        <p key={text} className="text-sm text-danger">
          {text}
        </p>
      ))}
    </div>
  );
}
