import type { FormMetadata } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { useMessage } from "./user-message";

/** Returns a function that creates the props of a field from conform's metadata: name, id, initial value and errors. */
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

/**
 * Labels of a form's fields by name, in the order of the form. A label also applies to nested fields without a label of their own: "urlParams",
 * "urlParams.ts".
 */
export type FieldLabels = Readonly<Record<string, string>>;

/** Returns the first segment of a field's name. */
export const rootFieldName = (name: string) => /^[^.[]*/.exec(name)?.[0] ?? "";

/** Sorts messages by the order of the form. Messages of the whole form come first, those of fields without a label last. */
function sortMessages<T>(messages: readonly (readonly [name: string, T])[], labels: FieldLabels) {
  const fieldNames = Object.keys(labels);
  const orderOf = (name: string) => {
    if (name === "") return -1;
    const index = fieldNames.indexOf(rootFieldName(name));
    return index === -1 ? fieldNames.length : index;
  };
  return [...messages].sort(([a], [b]) => orderOf(a) - orderOf(b));
}

/** Error summary of a form, in the order of its fields. A field's message names the field and links to it. */
export function FormErrors<T extends Record<string, unknown>>({
  form,
  labels,
  title,
  hint,
}: {
  readonly form: FormMetadata<T, string[]>;
  readonly labels: FieldLabels;
  /** Replaces the default title, "check the input"; null for no title. */
  readonly title?: string | null;
  /** Replaces the default hint, which is for forms that save data; null for no hint. */
  readonly hint?: string | null;
}) {
  const message = useMessage();
  const errors = sortMessages(Object.entries(form.allErrors), labels).flatMap(([name, texts]) =>
    texts.map((text) => ({
      id: name === "" ? "" : `${form.id}-${name}`,
      label: labels[name] ?? labels[rootFieldName(name)],
      message: message(text),
    })),
  );
  // While the user is typing, messages are shown only beside the fields. The summary shows the result of a submission.
  return form.status === "error" || errors.some((error) => error.id === "") ? (
    <FormErrorSummary errors={errors} title={title} hint={hint} />
  ) : null;
}

/** The submit button and the cancel link of a form. With `danger`, the action is destructive. */
export function FormButtons({
  submit,
  cancel,
  cancelHref,
  danger = false,
  keepScroll = false,
  pending,
}: {
  readonly submit: string;
  readonly cancel: string;
  readonly cancelHref: string;
  readonly danger?: boolean;
  /** Keeps the scroll position when the cancel link opens the page below a dialog. */
  readonly keepScroll?: boolean;
  /** Whether the form is being submitted. Default: whether the router is submitting a form with POST. */
  readonly pending?: boolean;
}) {
  const busy = useNavigation().formMethod === "POST";
  return (
    <ButtonRow>
      <Button type="submit" variant={danger ? "danger" : "primary"} pending={pending ?? busy}>
        {submit}
      </Button>
      <LinkButton href={cancelHref} variant="quiet" keepScroll={keepScroll}>
        {cancel}
      </LinkButton>
    </ButtonRow>
  );
}
