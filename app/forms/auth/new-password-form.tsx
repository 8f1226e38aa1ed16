import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { createNewPasswordSchema } from "~/domain/auth/password.schema";
import { PASSWORD_MIN } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { FormErrors } from "../shared/form-parts";
import { NewPasswordFields } from "./new-password-fields";

export interface NewPasswordFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** Email address of the account, under which password managers save the password. */
  readonly email: string;
  /** Label of the submit button. */
  readonly submit: string;
  /** Label of the submit button while the form is being sent. */
  readonly submitting: string;
}

/** Sets a password, which is typed twice. It posts to the page's own URL, which contains the token of the link. */
export function NewPasswordForm({ lastResult, email, submit, submitting }: NewPasswordFormProps) {
  const { t } = useTranslation();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useForm({
    id: "new-password",
    lastResult,
    defaultValue: { password: "", passwordConfirmation: "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createNewPasswordSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" replace {...getFormProps(form)} className="grid gap-6">
      <FormErrors
        form={form}
        labels={{
          password: t("auth:newPassword.password"),
          passwordConfirmation: t("auth:newPassword.confirmation"),
        }}
        hint={null}
      />
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields
        fields={fields}
        label={t("auth:newPassword.password")}
        hint={t("auth:newPassword.hint", { min: PASSWORD_MIN })}
        confirmationLabel={t("auth:newPassword.confirmation")}
      />
      <Button type="submit" variant="primary" pending={busy}>
        {busy ? submitting : submit}
      </Button>
    </Form>
  );
}
