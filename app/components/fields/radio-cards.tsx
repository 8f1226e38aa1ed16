import type { ReactNode } from "react";
import { cx } from "../cx";
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
  /** Whether the cards, at most four, are short and in two columns. Then only the description of the chosen card is shown, below the cards. */
  readonly isCompact?: boolean;
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
  isCompact,
}: RadioCardsProps) {
  const ids = fieldIds(id, { hint, error });
  const idOf = (index: number) => (index === 0 ? id : `${id}-${options[index]?.value}`);
  const renderDescription = ({ description }: RadioCard, optionId: string) =>
    description && (
      <span key={optionId} id={`${optionId}-about`} className="block text-xs text-muted text-phrase">
        {description}
      </span>
    );
  return (
    <FieldGroup label={label} hint={hint} error={error} required={required} ids={ids} className="@container">
      <div className={cx("grid gap-2", isCompact ? "grid-cols-2" : "grid-cols-1 @lg:grid-cols-2")}>
        {options.map((option, index) => {
          const optionId = idOf(index);
          return (
            <label
              key={option.value}
              htmlFor={optionId}
              className={cx(
                "flex cursor-pointer gap-3 rounded border border-line text-sm transition-colors hover:border-edge has-checked:border-accent has-checked:bg-accent/6 has-checked:inset-ring has-checked:inset-ring-accent has-disabled:cursor-not-allowed has-disabled:text-faint",
                isCompact ? "px-3 py-2" : "p-3",
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
                {!isCompact && renderDescription(option, optionId)}
              </span>
              {option.image}
            </label>
          );
        })}
      </div>
      {/* All descriptions are in one place. The style sheet shows only that of the chosen card. */}
      {isCompact && (
        <div className="chosen-description">
          {options.map((option, index) => renderDescription(option, idOf(index)))}
        </div>
      )}
    </FieldGroup>
  );
}
