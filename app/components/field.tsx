import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";
import { cx } from "./classes";
import { Icon } from "./icon";

/** What every field takes: its label, its hint, and what is wrong with it, all as words for people. */
export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Shown beside the field, all of it. */
  readonly error?: string | readonly string[] | null;
  readonly required?: boolean;
}

/** The parts of a field that name and describe its control. */
export interface FieldIds {
  readonly id: string;
  readonly hintId?: string;
  readonly errorId?: string;
  /** For the control's aria-describedby. */
  readonly describedBy?: string;
}

/** The messages to show. */
export function errorsOf(error: FieldProps["error"]): readonly string[] {
  return (typeof error === "string" ? [error] : (error ?? [])).filter(Boolean);
}

/** The ids of a field's parts: hint first, then whatever the field adds (a counter), then the error. */
export function fieldIds(
  id: string,
  { hint, error }: Pick<FieldProps, "hint" | "error">,
  ...more: string[]
): FieldIds {
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = errorsOf(error).length > 0 ? `${id}-error` : undefined;
  return {
    id,
    hintId,
    errorId,
    describedBy: [hintId, ...more, errorId].filter(Boolean).join(" ") || undefined,
  };
}

/** The attributes by which a control belongs to its field. */
export function controlProps(ids: FieldIds, error: FieldProps["error"]) {
  return {
    id: ids.id,
    "aria-describedby": ids.describedBy,
    "aria-invalid": errorsOf(error).length > 0 ? true : undefined,
  } as const;
}

/** What is wrong, beside its field: `<FieldError id="name-error">…</FieldError>`. */
export function FieldError({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm text-danger">
      <Icon name="warning" size={16} className="mt-[calc((1lh-1rem)/2)]" />
      <span className="text-phrase">{children}</span>
    </p>
  );
}

/** All that is wrong with a field, beside it: `<FieldErrors id={ids.errorId} error={error} />`. */
export function FieldErrors({ id, error }: { readonly id?: string; readonly error: FieldProps["error"] }) {
  const messages = errorsOf(error);
  if (messages.length === 0) return null;
  return (
    <div id={id} className="grid gap-1">
      {messages.map((message) => (
        <FieldError key={message}>{message}</FieldError>
      ))}
    </div>
  );
}

/** The mark of a field that must be filled. */
function RequiredMark() {
  const { t } = useTranslation();
  return <span className="text-xs font-normal text-muted">{t("shared:required")}</span>;
}

/** What helps to fill a field, under its label. */
const Hint = ({ id, children }: { readonly id: string | undefined; readonly children: ReactNode }) =>
  children ? (
    <p id={id} className="-mt-1 text-xs text-muted text-phrase">
      {children}
    </p>
  ) : null;

export interface FieldLayoutProps extends FieldProps {
  readonly ids: FieldIds;
  /** Right of the label: a counter, say. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Label, hint, control and error in their order: `<Field label=… ids={fieldIds("name", {hint, error})}><input …/></Field>`. */
export function Field({ label, hint, error, required, ids, aside, className, children }: FieldLayoutProps) {
  return (
    <div className={cx("flex min-w-0 flex-col gap-1.5", className)}>
      <div className="flex items-baseline gap-2 text-sm">
        <label htmlFor={ids.id} className="font-semibold text-phrase">
          {label}
        </label>
        {required && <RequiredMark />}
        {aside && <div className="ml-auto shrink-0">{aside}</div>}
      </div>
      <Hint id={ids.hintId}>{hint}</Hint>
      {children}
      <FieldErrors id={ids.errorId} error={error} />
    </div>
  );
}

/** Several controls under one name, as Field is for one: `<FieldGroup label=… ids={fieldIds("types", {hint, error})}>…</FieldGroup>`. */
export function FieldGroup({
  label,
  hint,
  error,
  required,
  ids,
  className,
  children,
}: Omit<FieldLayoutProps, "aside">) {
  return (
    <fieldset
      aria-describedby={ids.describedBy}
      aria-invalid={errorsOf(error).length > 0 ? true : undefined}
      className={cx("flex min-w-0 flex-col gap-1.5", className)}
    >
      <legend className="mb-1.5 flex items-baseline gap-2 text-sm font-semibold">
        {label}
        {required && <RequiredMark />}
      </legend>
      <Hint id={ids.hintId}>{hint}</Hint>
      {children}
      <FieldErrors id={ids.errorId} error={error} />
    </fieldset>
  );
}
