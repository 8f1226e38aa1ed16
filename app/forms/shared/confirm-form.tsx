import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";
import { CurrentPassword } from "../auth/current-password";
import { FormButtons, FormErrors } from "./form-parts";

export interface ConfirmFormProps {
  readonly id: string;
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly intent: string;
  /** Values of the form's hidden fields, by name. */
  readonly values?: Readonly<Record<string, string>>;
  readonly requiresPassword: boolean;
  readonly email: string;
  readonly submit: string;
  readonly cancelHref: string;
  readonly children: ReactNode;
}

/** Requires a confirmation before a destructive action and, with `requiresPassword`, the password. */
export function ConfirmForm(props: ConfirmFormProps) {
  const {
    id,
    lastResult,
    intent,
    values = {},
    requiresPassword,
    email,
    submit,
    cancelHref,
    children,
  } = props;
  const { t } = useTranslation();
  const [form, fields] = useForm<{ currentPassword: string }, string[]>({
    id,
    lastResult,
    defaultValue: { currentPassword: "" },
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <p className="text-muted text-phrase">{children}</p>
      <FormErrors
        form={form}
        labels={{ currentPassword: t("shared-owners:confirm.currentPassword") }}
        hint={null}
      />
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {requiresPassword && <CurrentPassword field={fields.currentPassword} email={email} />}
      <FormButtons
        danger
        keepScroll
        submit={submit}
        cancel={t("shared-owners:confirm.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
