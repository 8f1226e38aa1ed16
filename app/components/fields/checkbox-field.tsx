import type { ComponentPropsWithoutRef } from "react";
import { cx } from "../cx";
import { controlProps, FieldErrorList, type FieldProps, fieldIds } from "./field";

export interface CheckboxFieldProps
  extends Omit<ComponentPropsWithoutRef<"input">, "required" | "type" | "children" | "name">,
    FieldProps {
  readonly name: string;
}

/** A checkbox with a description: `<CheckboxField name="enableAutoChangeStatus" label=… hint=… defaultChecked />`. */
export function CheckboxField({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  className,
  ...rest
}: CheckboxFieldProps) {
  const ids = fieldIds(id, { hint, error });
  return (
    <div className={cx("flex flex-col gap-1.5", className)}>
      <div className="flex gap-3">
        <input
          type="checkbox"
          name={name}
          required={required}
          {...controlProps(ids, error)}
          {...rest}
          className="tick mt-[calc((2.5rem-var(--tick))/2)] shrink-0 rounded-sm"
        />
        <div className="min-w-0 text-sm">
          <label htmlFor={ids.id} className="flex min-h-10 items-center font-semibold">
            {label}
          </label>
          {hint && (
            <p id={ids.hintId} className="-mt-1 text-xs text-muted text-phrase">
              {hint}
            </p>
          )}
        </div>
      </div>
      <FieldErrorList id={ids.errorId} error={error} />
    </div>
  );
}
