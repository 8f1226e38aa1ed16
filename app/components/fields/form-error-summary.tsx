import { useEffect, useRef } from "react";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../classes";
import { Icon } from "../icon";

/** Focuses a field without a new history entry, and opens the groups around it. Returns false if the field cannot be focused. */
function focusField(id: string): boolean {
  const field = document.getElementById(id);
  for (let group = field?.closest("details"); group; group = group.parentElement?.closest("details"))
    group.open = true;
  field?.focus();
  return field !== null && document.activeElement === field;
}

export interface FormErrorSummaryProps {
  /** Field id, label and message, in the order of the form. An empty id marks an error of the whole form. */
  readonly errors: readonly { readonly id: string; readonly label?: string; readonly message: string }[];
  /** Title above the messages; null for none. */
  readonly title?: string | null;
  /** Hint about what was saved and what to do next; null for none. */
  readonly hint?: string | null;
}

/** Error summary above a form. It gets the focus when it appears: `<FormErrorSummary errors={[{ id, label, message }]} />`. */
export function FormErrorSummary({ errors, title, hint }: FormErrorSummaryProps) {
  const { t } = useTranslation();
  const ref = useRef<HTMLDivElement>(null);
  const key = errors.map(({ id, message }) => `${id} ${message}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed list of errors gets the focus again
  useEffect(() => ref.current?.focus(), [key]);
  if (errors.length === 0) return null;
  const heading = title === undefined ? t("shared:errorsTitle") : title;
  const text = hint === undefined ? t("shared:errorsHint") : hint;
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
        {heading && <p className="font-semibold text-danger">{heading}</p>}
        {text && <p className="text-muted">{text}</p>}
        <ul className={cx(heading && "mt-1")}>
          {errors.map(({ id, label, message }) => (
            <li key={`${id} ${message}`}>
              {id ? (
                <a
                  href={`#${id}`}
                  onClick={(event) => {
                    if (focusField(id)) event.preventDefault();
                  }}
                  className="inline-flex min-h-10 items-center underline underline-offset-4"
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
