import type { ComponentPropsWithoutRef } from "react";
import { useHydrated } from "../use-hydrated";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";

export interface NumberFieldProps
  extends Omit<ComponentPropsWithoutRef<"input">, "required" | "type" | "children" | "name">,
    FieldProps {
  readonly name: string;
  /** Unit after the number: "GB", "m". */
  readonly unit?: string;
}

/** A number field: `<NumberField name="hr" label=… min={0} max={360} step="any" unit="°" />`. */
export function NumberField({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  unit,
  className,
  min,
  max,
  step,
  ...rest
}: NumberFieldProps) {
  const hydrated = useHydrated();
  const ids = fieldIds(id, { hint, error });
  return (
    <Field label={label} hint={hint} error={error} required={required} ids={ids} className={className}>
      <div className="flex items-center gap-2">
        <input
          type="number"
          inputMode={step === undefined || Number.isInteger(Number(step)) ? "numeric" : "decimal"}
          name={name}
          required={required}
          {...controlProps(ids, error)}
          {...rest}
          // Without scripts, the browser would not submit a form with an invalid number in a closed group, and could not show the error, so limits
          // are set only with scripts.
          {...(hydrated ? { min, max, step } : { step: "any" })}
          className="control tabular-nums"
        />
        {unit && <span className="shrink-0 text-sm text-muted">{unit}</span>}
      </div>
    </Field>
  );
}
