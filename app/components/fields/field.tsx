import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";
import { cx } from "../cx";
import { Icon } from "../icon";

/** Common properties of fields. Texts are translated. */
export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** All messages are shown beside the field. */
  readonly error?: string | readonly string[] | null;
  readonly required?: boolean;
}

/** Ids of a field's control and of the parts that describe it. */
export interface FieldIds {
  readonly id: string;
  readonly hintId?: string;
  readonly errorId?: string;
  /** Value of the control's aria-describedby. */
  readonly describedBy?: string;
}

/** Returns the error messages as a list. */
export function listErrors(error: FieldProps["error"]): readonly string[] {
  return (typeof error === "string" ? [error] : (error ?? [])).filter(Boolean);
}

/** Returns the ids of a field's parts. The descriptions are the hint, additions such as a counter, and the error, in this order. */
export function fieldIds(
  id: string,
  { hint, error }: Pick<FieldProps, "hint" | "error">,
  ...furtherIds: string[]
): FieldIds {
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = listErrors(error).length > 0 ? `${id}-error` : undefined;
  return {
    id,
    hintId,
    errorId,
    describedBy: [hintId, ...furtherIds, errorId].filter(Boolean).join(" ") || undefined,
  };
}

/** Returns the attributes that connect a control to its field. */
export function controlProps(ids: FieldIds, error: FieldProps["error"]) {
  return {
    id: ids.id,
    "aria-describedby": ids.describedBy,
    "aria-invalid": listErrors(error).length > 0 ? true : undefined,
  } as const;
}

/** An error message beside a field: `<FieldError id="name-error">…</FieldError>`. */
export function FieldError({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm text-danger">
      <Icon name="warning" size={16} className="mt-[calc((1lh-1rem)/2)]" />
      <span className="text-phrase">{children}</span>
    </p>
  );
}

/** All error messages of a field: `<FieldErrorList id={ids.errorId} error={error} />`. */
export function FieldErrorList({ id, error }: { readonly id?: string; readonly error: FieldProps["error"] }) {
  const messages = listErrors(error);
  if (messages.length === 0) return null;
  return (
    <div id={id} className="grid gap-1">
      {messages.map((message) => (
        <FieldError key={message}>{message}</FieldError>
      ))}
    </div>
  );
}

/** The mark of a required field. */
function RequiredMark() {
  const { t } = useTranslation();
  return <span className="text-xs font-normal text-muted">{t("shared:required")}</span>;
}

/** The hint below a field's label. */
const Hint = ({ id, children }: { readonly id: string | undefined; readonly children: ReactNode }) =>
  children ? (
    <p id={id} className="-mt-1 text-xs text-muted text-phrase">
      {children}
    </p>
  ) : null;

export interface FieldLayoutProps extends FieldProps {
  readonly ids: FieldIds;
  /** Content at the end of the label's row, for example a counter. */
  readonly aside?: ReactNode;
  /** Whether the label is visible only to screen readers. */
  readonly isLabelHidden?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Renders the label, hint, control and error of a field in this order: `<Field label=… ids={fieldIds("name", {hint, error})}><input …/></Field>`. */
export function Field({
  label,
  hint,
  error,
  required,
  ids,
  aside,
  isLabelHidden,
  className,
  children,
}: FieldLayoutProps) {
  return (
    <div className={cx("flex min-w-0 flex-col gap-1.5", className)}>
      <div className={isLabelHidden ? "sr-only" : "flex items-baseline gap-2 text-sm"}>
        <label htmlFor={ids.id} className="font-semibold text-phrase">
          {label}
        </label>
        {required && <RequiredMark />}
        {aside && <div className="ml-auto shrink-0">{aside}</div>}
      </div>
      <Hint id={ids.hintId}>{hint}</Hint>
      {children}
      <FieldErrorList id={ids.errorId} error={error} />
    </div>
  );
}

/** A field with several controls: `<FieldGroup label=… ids={fieldIds("types", {hint, error})}>…</FieldGroup>`. */
export function FieldGroup({
  label,
  hint,
  error,
  required,
  ids,
  className,
  children,
}: Omit<FieldLayoutProps, "aside" | "isLabelHidden">) {
  return (
    <fieldset
      aria-describedby={ids.describedBy}
      aria-invalid={listErrors(error).length > 0 ? true : undefined}
      className={cx("flex min-w-0 flex-col gap-1.5", className)}
    >
      <legend className="mb-1.5 flex items-baseline gap-2 text-sm font-semibold">
        {label}
        {required && <RequiredMark />}
      </legend>
      <Hint id={ids.hintId}>{hint}</Hint>
      {children}
      <FieldErrorList id={ids.errorId} error={error} />
    </fieldset>
  );
}
