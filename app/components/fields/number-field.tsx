import type { ComponentPropsWithoutRef } from "react";
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
  ...rest
}: NumberFieldProps) {
  const ids = fieldIds(id, { hint, error });
  return (
    <Field {...{ label, hint, error, required, ids, className }}>
      <div className="flex items-center gap-2">
        <input
          type="number"
          inputMode={rest.step === undefined || Number.isInteger(Number(rest.step)) ? "numeric" : "decimal"}
          name={name}
          required={required}
          {...controlProps(ids, error)}
          {...rest}
          className="control tabular-nums"
        />
        {unit && <span className="shrink-0 text-sm text-muted">{unit}</span>}
      </div>
    </Field>
  );
}
