import type { ChangeEventHandler } from "react";
import { Button } from "~/components/button";
import { SelectField } from "~/components/fields/select-field";
import { SPLAT_UPS } from "~/domain/spaces/space-source.schema";
import { useTranslation } from "~/i18n/translation";

export interface SplatFieldsProps {
  readonly name: string;
  readonly value: string;
  readonly error: readonly string[] | undefined;
  readonly onChange: ChangeEventHandler<HTMLSelectElement>;
  readonly isHydrated: boolean;
}

/** Field for the up axis of a splat file. */
export function SplatFields({ isHydrated, ...field }: SplatFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <SelectField
        {...field}
        label={t("spaces:sources.up")}
        hint={t("spaces:sources.upHint")}
        options={SPLAT_UPS.map((up) => ({ value: up, label: t(`spaces:sources.ups.${up}`) }))}
      />
      {!isHydrated && (
        // Without scripts there is no preview that contains this control.
        <div>
          <Button type="submit" icon="retry" name="upNow" value="-y">
            {t("spaces:sources.saveTurned")}
          </Button>
        </div>
      )}
    </>
  );
}
