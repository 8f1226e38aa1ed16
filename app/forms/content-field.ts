import type { FieldProps } from "~/components/field";
import { useMessage } from "./words";

/** Messages by value: of a text in two languages also by its part, "title.ja". */
export type ContentErrors = Readonly<Record<string, readonly string[]>>;

/** What a form of content needs, whichever thing it is of. */
export interface ContentFormProps<Input> {
  /** Unique on the page: the fields' ids begin with it. */
  readonly id: string;
  readonly input: Input;
  readonly errors: ContentErrors;
  /** A field was changed. */
  readonly onField: (name: string, value: string) => void;
}

/** Makes what a kit field takes: name, id, value and what is wrong with it. */
export function useContentField<Input extends object>(
  { id, input, errors, onField }: ContentFormProps<Input>,
  controls: Readonly<Record<string, string>>,
) {
  const message = useMessage();
  return (name: string) => ({
    name,
    id: `${id}-${name}`,
    value: String((input as Record<string, unknown>)[name] ?? ""),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onField(name, currentTarget.value),
    error: errorsBeside(name, errors, controls).map(message) satisfies FieldProps["error"],
  });
}

/** What is wrong with a control: with its value, and with the whole that it is the first part of. */
export function errorsBeside(
  name: string,
  errors: ContentErrors,
  controls: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(errors).flatMap(([value, texts]) =>
    value === name || controlOf(value, controls) === name ? texts : [],
  );
}

/** The control beside which a value's message stands. */
export function controlOf(value: string, controls: Readonly<Record<string, string>>): string {
  const stem = value.split(".")[0] ?? "";
  return controls[value] ?? (/\.(ja|en|x|y|z)$/.test(value) ? value : (controls[stem] ?? value));
}
