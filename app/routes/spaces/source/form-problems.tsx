import { FormErrorSummary } from "~/components/fields/form-error-summary";
import type { SourceErrors } from "~/domain/spaces/space-source-form";
import { useMessage } from "~/forms/shared/user-message";

/** Error summary of a source form; the error of a field links to it. */
export function FormProblems({ errors }: { readonly errors: SourceErrors }) {
  const message = useMessage();
  const listedErrors = Object.entries(errors).flatMap(([id, texts]) =>
    texts.map((text) => ({ id: id === "source" || id === "start" ? "" : id, message: message(text) })),
  );
  return listedErrors.length > 0 ? <FormErrorSummary errors={listedErrors} /> : null;
}
