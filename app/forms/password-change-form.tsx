import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { PasswordField } from "~/components/password-field";
import { createPasswordChangeSchema } from "~/domain/account.schema";
import { PASSWORD_MIN } from "~/domain/limits";
import { useTranslation } from "~/i18n/translation";
import { CurrentPassword } from "./current-password";
import { FormButtons, FormErrors, useFieldProps } from "./form-parts";

export interface PasswordChangeFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly email: string;
  readonly cancelHref: string;
}

/** Changes one's own password. Posts with the intent `password`. */
export function PasswordChangeForm({ lastResult, email, cancelHref }: PasswordChangeFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm({
    id: "password-change",
    lastResult,
    defaultValue: { currentPassword: "", password: "", passwordConfirmation: "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createPasswordChangeSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <p className="text-muted text-phrase">{t("auth:account.password.ends")}</p>
      <FormErrors
        form={form}
        hint={null}
        labels={{
          currentPassword: t("shared-owners:confirm.currentPassword"),
          password: t("auth:account.password.field"),
          passwordConfirmation: t("auth:account.password.confirmation"),
        }}
      />
      <input type="hidden" name="intent" value="password" />
      <CurrentPassword field={fields.currentPassword} email={email} />
      <PasswordField
        {...fieldProps(fields.password)}
        defaultValue=""
        label={t("auth:account.password.field")}
        hint={t("auth:account.password.hint", { min: PASSWORD_MIN })}
        autoComplete="new-password"
        required
      />
      <PasswordField
        {...fieldProps(fields.passwordConfirmation)}
        defaultValue=""
        label={t("auth:account.password.confirmation")}
        autoComplete="new-password"
        required
      />
      <FormButtons
        keepScroll
        submit={t("auth:account.password.submit")}
        cancel={t("shared-owners:confirm.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
