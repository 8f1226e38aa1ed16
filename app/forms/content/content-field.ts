import type { FieldProps } from "~/components/fields/field";
import type { Lang } from "~/domain/shared/model";
import { useMessage } from "../shared/user-message";

/** Error messages by the name of their value, or of one part of it, for example "title.ja" or "position.x". */
export type ContentErrors = Readonly<Record<string, readonly string[]>>;

/** Properties that all content forms share. */
export interface ContentFormProps<Input> {
  /** Prefix of the fields' ids, unique on the page. */
  readonly id: string;
  readonly input: Input;
  readonly errors: ContentErrors;
  /** Called when the user changes a field. */
  readonly onField: (name: string, value: string) => void;
}

/**
 * Returns the controls of a form in which a title's messages are shown at the field of the page's language, because the field of the other language
 * may be in a closed group.
 */
export const selectControls = <Controls extends Readonly<Record<string, string>>>(
  controls: Controls,
  lang: Lang,
) => ({
  ...controls,
  title: `title.${lang}`,
});

/**
 * Returns a function that creates the props of a field by its name.
 * @param controls names of the fields that show the messages of values, by the values' names
 */
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
    error: listControlErrors(name, errors, controls).map(message) satisfies FieldProps["error"],
  });
}

/** Returns the messages that a control shows: those of its own value, and those of the values that `controls` maps to it. */
export function listControlErrors(
  name: string,
  errors: ContentErrors,
  controls: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(errors).flatMap(([valueName, texts]) =>
    valueName === name || getControlName(valueName, controls) === name ? texts : [],
  );
}

/** Returns the name of the control that shows a value's messages. */
export function getControlName(valueName: string, controls: Readonly<Record<string, string>>): string {
  const rootName = valueName.split(".")[0] ?? "";
  return (
    controls[valueName] ??
    (/\.(ja|en|x|y|z)$/.test(valueName) ? valueName : (controls[rootName] ?? valueName))
  );
}
