import type { FormMetadata } from "@conform-to/react";
import { FormErrorSummary } from "~/components/form-error-summary";
import { useMessage } from "./words";

/** What a kit field takes from a form's field: its name, id, first value and what is wrong with it. */
export function useFieldProps() {
  const message = useMessage();
  return (field: {
    readonly name: string;
    readonly id: string;
    readonly initialValue?: unknown;
    readonly errors?: string[];
  }) => ({
    name: field.name,
    id: field.id,
    defaultValue: typeof field.initialValue === "string" ? field.initialValue : "",
    error: field.errors?.map(message),
  });
}

/** All that is wrong with a form, in its order, each leading to its field. */
export function FormErrors<T extends Record<string, unknown>>({
  form,
  hint,
}: {
  readonly form: FormMetadata<T, string[]>;
  /** Instead of what is said of forms that save something; null for nothing. */
  readonly hint?: string | null;
}) {
  const message = useMessage();
  const errors = Object.entries(form.allErrors).flatMap(([name, texts]) =>
    texts
      .slice(0, 1)
      .map((text) => ({ id: name === "" ? "" : `${form.id}-${name}`, message: message(text) })),
  );
  // A message while somebody still types stands beside its field; the summary is for what came back from a submit.
  return form.status === "error" || errors.some((error) => error.id === "") ? (
    <FormErrorSummary errors={errors} hint={hint} />
  ) : null;
}
