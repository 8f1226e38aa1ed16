import type { ReactNode } from "react";
import { cx } from "../classes";
import { FieldGroup, type FieldProps, fieldIds } from "./field";

export interface RadioCard {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  /** An icon before the label. */
  readonly mark?: ReactNode;
  /** A small image at the end of the card. */
  readonly image?: ReactNode;
  /** Whether the card spans two columns. */
  readonly isWide?: boolean;
}

export interface RadioCardsProps extends FieldProps {
  readonly name: string;
  readonly id?: string;
  readonly options: readonly RadioCard[];
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  /** Text below the cards about the effect of the choice. */
  readonly note?: ReactNode;
}

/** Radio buttons with descriptions: `<RadioCards name="statusId" label=… options={…} defaultValue="1" />`. */
export function RadioCards({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  options,
  defaultValue,
  onChange,
  note,
}: RadioCardsProps) {
  const ids = fieldIds(id, { hint, error });
  return (
    <FieldGroup label={label} hint={hint} error={error} required={required} ids={ids} className="@container">
      <div className="grid grid-cols-1 gap-2 @lg:grid-cols-2">
        {options.map((option, index) => {
          const optionId = index === 0 ? id : `${id}-${option.value}`;
          return (
            <label
              key={option.value}
              htmlFor={optionId}
              className={cx(
                "flex cursor-pointer gap-3 rounded border border-line p-3 text-sm transition-colors hover:border-edge has-checked:border-accent has-checked:bg-accent/6 has-checked:inset-ring has-checked:inset-ring-accent has-disabled:cursor-not-allowed has-disabled:text-faint",
                option.isWide && "@lg:col-span-2",
              )}
            >
              <input
                type="radio"
                id={optionId}
                name={name}
                value={option.value}
                required={required}
                defaultChecked={option.value === defaultValue}
                onChange={onChange && (() => onChange(option.value))}
                aria-describedby={option.description ? `${optionId}-about` : undefined}
                className="tick mt-[calc((1lh-var(--tick))/2)] shrink-0 rounded-full"
              />
              <span className="min-w-0 flex-1">
                <span className="flex items-center gap-1.5 font-semibold">
                  {option.mark}
                  {option.label}
                </span>
                {option.description && (
                  <span id={`${optionId}-about`} className="block text-xs text-muted text-phrase">
                    {option.description}
                  </span>
                )}
              </span>
              {option.image}
            </label>
          );
        })}
      </div>
      {note}
    </FieldGroup>
  );
}
