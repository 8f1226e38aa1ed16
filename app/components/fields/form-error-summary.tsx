import { useEffect, useRef } from "react";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../cx";
import { Icon } from "../icon";

/** Opens the groups around a field and focuses it. Unlike following a link to the field, this adds no history entry. Returns false if it fails. */
function openAndFocusField(id: string): boolean {
  const field = document.getElementById(id);
  for (let group = field?.closest("details"); group; group = group.parentElement?.closest("details"))
    group.open = true;
  field?.focus();
  return field !== null && document.activeElement === field;
}

export interface FormErrorSummaryProps {
  /** Field id, label and message, in the order of the form. An empty id marks an error of the whole form. */
  readonly errors: readonly { readonly id: string; readonly label?: string; readonly message: string }[];
  /** Title above the messages. Null hides it; undefined displays the usual title, unless all errors are of the whole form. */
  readonly title?: string | null;
  /** Hint about what was saved and what to do next. Null hides it; undefined displays the usual hint. */
  readonly hint?: string | null;
}

/** Error summary above a form. It gets the focus when it appears: `<FormErrorSummary errors={[{ id, label, message }]} />`. */
export function FormErrorSummary({ errors, title, hint }: FormErrorSummaryProps) {
  const { t } = useTranslation();
  const ref = useRef<HTMLDivElement>(null);
  const errorsKey = errors.map(({ id, message }) => `${id} ${message}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed list of errors gets the focus again
  useEffect(() => ref.current?.focus(), [errorsKey]);
  if (errors.length === 0) return null;
  // An error of the whole form, such as a failed save, is not about the input.
  const isAboutInput = errors.some(({ id }) => id !== "");
  const titleText = title === undefined && isAboutInput ? t("shared:errorsTitle") : title;
  const hintText = hint === undefined ? t("shared:errorsHint") : hint;
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without scripts, only the focus makes screen readers read the summary
      autoFocus
      className="shows-focus flex gap-3 rounded border border-danger bg-danger/6 p-4 text-sm"
    >
      <Icon name="warning" className="mt-[calc((1lh-1.25rem)/2)] text-danger" />
      <div className="min-w-0 text-phrase">
        {titleText && <p className="font-semibold text-danger">{titleText}</p>}
        {hintText && <p className="text-muted">{hintText}</p>}
        <ul className={cx(titleText && "mt-1")}>
          {errors.map(({ id, label, message }) => (
            <li key={`${id} ${message}`}>
              {id ? (
                <a
                  href={`#${id}`}
                  onClick={(event) => {
                    if (openAndFocusField(id)) event.preventDefault();
                  }}
                  className="inline-flex min-h-10 items-center underline"
                >
                  {label ? t("shared:fieldError", { field: label, problem: message }) : message}
                </a>
              ) : (
                message
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
