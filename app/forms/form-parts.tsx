import type { FormMetadata } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
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

/**
 * What a form's fields are called, by their names, in the order in which they stand. A name stands for all below it:
 * "urlParams", "urlParams.ts".
 */
export type FieldLabels = Readonly<Record<string, string>>;

/** The part of a field's name that stands before what is below it. */
const stemOf = (name: string) => /^[^.[]*/.exec(name)?.[0] ?? "";

/** Puts messages by field into a form's order. Those of the form as a whole come first, of fields that it does not name last. */
function inOrder<T>(messages: readonly (readonly [name: string, T])[], labels: FieldLabels) {
  const order = Object.keys(labels);
  const place = (name: string) => {
    if (name === "") return -1;
    const at = order.indexOf(stemOf(name));
    return at === -1 ? order.length : at;
  };
  return [...messages].sort(([a], [b]) => place(a) - place(b));
}

/** All that is wrong with a form, in its order, each naming its field and leading to it. */
export function FormErrors<T extends Record<string, unknown>>({
  form,
  labels,
  title,
  hint,
}: {
  readonly form: FormMetadata<T, string[]>;
  readonly labels: FieldLabels;
  /** Instead of asking to check what was entered; null for nothing. */
  readonly title?: string | null;
  /** Instead of what is said of forms that save something; null for nothing. */
  readonly hint?: string | null;
}) {
  const message = useMessage();
  const errors = inOrder(Object.entries(form.allErrors), labels).flatMap(([name, texts]) =>
    texts.map((text) => ({
      id: name === "" ? "" : `${form.id}-${name}`,
      label: labels[stemOf(name)],
      message: message(text),
    })),
  );
  // A message while somebody still types stands beside its field; the summary is for what came back from a submit.
  return form.status === "error" || errors.some((error) => error.id === "") ? (
    <FormErrorSummary errors={errors} title={title} hint={hint} />
  ) : null;
}

/** The buttons of a form: the one that does it, and the way back. `danger`: it takes something away. */
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
  /** The way back leads to the page below a dialog. */
  readonly keepScroll?: boolean;
  /** Whether it is under way, for forms that are not sent by the router. */
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
