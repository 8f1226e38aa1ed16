import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { TextField } from "~/components/fields/text-field";
import { createEmailChangeSchema } from "~/domain/auth/account.schema";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";
import { CurrentPassword } from "./current-password";

export interface EmailChangeFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** The current email address. */
  readonly email: string;
  readonly cancelHref: string;
}

/** Requests a link that changes the user's own email address. Posts with the intent `email`. */
export function EmailChangeForm({ lastResult, email, cancelHref }: EmailChangeFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm({
    id: "email-change",
    lastResult,
    defaultValue: { email: "", currentPassword: "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createEmailChangeSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <p className="text-muted wrap-anywhere text-phrase">{t("account:email.lead", { email })}</p>
      <FormErrors
        form={form}
        hint={null}
        labels={{
          email: t("account:email.field"),
          currentPassword: t("shared-owners:confirm.currentPassword"),
        }}
      />
      <input type="hidden" name="intent" value="email" />
      <TextField
        {...fieldProps(fields.email)}
        label={t("account:email.field")}
        type="email"
        autoComplete="email"
        inputMode="email"
        required
      />
      <CurrentPassword field={fields.currentPassword} email={email} />
      <FormButtons
        keepScroll
        submit={t("account:email.submit")}
        cancel={t("shared-owners:confirm.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
