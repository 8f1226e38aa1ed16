import type { ChangeEvent } from "react";
import type { SourceErrors, SourceValues } from "~/domain/spaces/space-source-form";
import { useMessage } from "~/forms/shared/user-message";

type FieldName = Exclude<keyof SourceValues, "nodes">;

export interface SourceFieldOptions {
  readonly values: SourceValues;
  readonly errors: SourceErrors;
  onChange(changes: Partial<SourceValues>): void;
}

/** Returns a function from the name of a source's field to its properties: name, value, messages of its errors and change handler. */
export function useSourceField({ values, errors, onChange }: SourceFieldOptions) {
  const message = useMessage();
  return (name: FieldName) => ({
    name,
    value: values[name],
    error: errors[name]?.map(message),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      onChange({ [name]: event.currentTarget.value }),
  });
}
