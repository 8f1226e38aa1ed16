import {
  type ComponentPropsWithoutRef,
  type CSSProperties,
  type FormEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { countCharacters } from "~/domain/shared/text";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../cx";
import { controlProps, Field, type FieldProps, fieldIds } from "./field";

export interface CounterProps {
  readonly id: string;
  readonly count: number;
  readonly max: number;
}

/** A counter such as "12 / 32". The server renders it and scripts update it. Screen readers announce it only near the limit and beyond it. */
export function Counter({ id, count, max }: CounterProps) {
  const { t } = useTranslation();
  const remaining = max - count;
  return (
    <>
      <span
        id={id}
        className={cx("text-xs tabular-nums", remaining < 0 ? "font-semibold text-danger" : "text-muted")}
      >
        {remaining < 0
          ? t("shared-owners:countOver", { count: -remaining })
          : t("shared-owners:count", { count, max })}
      </span>
      <span role="status" className="sr-only">
        {remaining >= 0 && remaining <= Math.min(10, max / 10)
          ? t("shared-owners:countLeft", { count: remaining })
          : ""}
        {remaining < 0 ? t("shared-owners:countOver", { count: -remaining }) : ""}
      </span>
    </>
  );
}

/** Counts the characters of a field, including text that was typed or restored before the scripts ran, or that other code has set. */
function useCount<Control extends HTMLInputElement | HTMLTextAreaElement>(value: unknown) {
  const ref = useRef<Control>(null);
  const [count, setCount] = useState(() => countCharacters(String(value ?? "")));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run after the form has set the field's value
  useEffect(() => {
    if (ref.current) setCount(countCharacters(ref.current.value));
  }, [value]);
  const recount = (event: FormEvent<Control>) => setCount(countCharacters(event.currentTarget.value));
  return { ref, count, recount };
}

type NativeProps<Tag extends "input" | "textarea"> = Omit<
  ComponentPropsWithoutRef<Tag>,
  "required" | "children" | "name"
>;

interface CountedFieldProps extends FieldProps {
  /** Name of the field, and its default id. */
  readonly name: string;
  /** Limit of the counter. Longer text is not cut off but reported as too long. */
  readonly maxCharacters?: number;
}

export interface TextFieldProps extends NativeProps<"input">, CountedFieldProps {}

/** A single-line text field: `<TextField name="eventName" label=… defaultValue=… maxCharacters={32} error=… />`. */
export function TextField({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  maxCharacters,
  className,
  onInput,
  ...rest
}: TextFieldProps) {
  const { ref, count, recount } = useCount<HTMLInputElement>(rest.value ?? rest.defaultValue);
  const counterId = `${id}-count`;
  const ids = fieldIds(id, { hint, error }, ...(maxCharacters ? [counterId] : []));
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      required={required}
      ids={ids}
      className={className}
      aside={maxCharacters && <Counter id={counterId} count={count} max={maxCharacters} />}
    >
      <input
        ref={ref}
        type="text"
        name={name}
        required={required}
        {...controlProps(ids, error)}
        {...rest}
        onInput={(event) => {
          recount(event);
          onInput?.(event);
        }}
        className="control"
      />
    </Field>
  );
}

export interface TextAreaProps extends NativeProps<"textarea">, CountedFieldProps {}

/** A multi-line text field that grows with its text: `<TextArea name="eventDetail" label=… maxCharacters={1000} />`. */
export function TextArea({
  name,
  id = name,
  label,
  hint,
  error,
  required,
  maxCharacters,
  className,
  onInput,
  rows = 4,
  ...rest
}: TextAreaProps) {
  const { ref, count, recount } = useCount<HTMLTextAreaElement>(rest.value ?? rest.defaultValue);
  const counterId = `${id}-count`;
  const ids = fieldIds(id, { hint, error }, ...(maxCharacters ? [counterId] : []));
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      required={required}
      ids={ids}
      className={className}
      aside={maxCharacters && <Counter id={counterId} count={count} max={maxCharacters} />}
    >
      <textarea
        ref={ref}
        name={name}
        required={required}
        rows={rows}
        // The CSS property field-sizing ignores the attribute `rows`.
        style={{ "--rows": rows } as CSSProperties}
        {...controlProps(ids, error)}
        {...rest}
        onInput={(event) => {
          recount(event);
          onInput?.(event);
        }}
        className="control max-h-96 min-h-[calc(var(--rows)*1lh+1rem+2px)] resize-y py-2 leading-text field-sizing-content"
      />
    </Field>
  );
}
