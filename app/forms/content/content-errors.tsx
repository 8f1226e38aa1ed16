import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { useMessage } from "../shared/user-message";
import { type ContentErrors, getControlName } from "./content-field";

export interface ContentErrorSummaryProps {
  readonly id: string;
  readonly errors: ContentErrors;
  /** Names of the fields that show the messages of values, by the values' names. */
  readonly controls: Readonly<Record<string, string>>;
  /** Labels of the values, by the first part of their names. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Error summary above a content form. A field's message links to the field. */
export function ContentErrorSummary({ id, errors, controls, labels }: ContentErrorSummaryProps) {
  const message = useMessage();
  const list = Object.entries(errors).flatMap(([name, texts]) =>
    texts.map((text) => ({
      id: name === "" ? "" : `${id}-${getControlName(name, controls)}`,
      label: labels[name.split(".")[0] ?? ""],
      message: message(text),
    })),
  );
  return list.length > 0 ? <FormErrorSummary errors={list} /> : null;
}
