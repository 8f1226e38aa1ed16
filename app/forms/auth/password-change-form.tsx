import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { createPasswordChangeSchema } from "~/domain/auth/account.schema";
import { PASSWORD_MIN } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors } from "../shared/form-parts";
import { CurrentPassword } from "./current-password";
import { NewPasswordFields } from "./new-password-fields";

export interface PasswordChangeFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly email: string;
  readonly cancelHref: string;
}

/** Changes the user's own password. Posts with the intent `password`. */
export function PasswordChangeForm({ lastResult, email, cancelHref }: PasswordChangeFormProps) {
  const { t } = useTranslation();
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
      <p className="text-muted text-phrase">{t("account:password.logsOutOthers")}</p>
      <FormErrors
        form={form}
        hint={null}
        labels={{
          currentPassword: t("shared-owners:confirm.currentPassword"),
          password: t("account:password.field"),
          passwordConfirmation: t("account:password.confirmation"),
        }}
      />
      <input type="hidden" name="intent" value="password" />
      <CurrentPassword field={fields.currentPassword} email={email} />
      <NewPasswordFields
        fields={fields}
        label={t("account:password.field")}
        hint={t("account:password.hint", { min: PASSWORD_MIN })}
        confirmationLabel={t("account:password.confirmation")}
      />
      <FormButtons
        keepScroll
        submit={t("account:password.submit")}
        cancel={t("shared-owners:confirm.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
