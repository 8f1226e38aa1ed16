import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useNavigation } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { TextField } from "~/components/fields/text-field";
import { createRetrievePasswordSchema } from "~/domain/auth/password.schema";
import { useTranslation } from "~/i18n/translation";
import { FormErrors, useFieldProps } from "../shared/form-parts";

/** Requests an email with a link that sets a new password. */
export function RetrievePasswordForm({
  lastResult,
}: {
  readonly lastResult?: SubmissionResult<string[]> | null;
}) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useForm({
    id: "retrieve",
    lastResult,
    defaultValue: { email: "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createRetrievePasswordSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <FormErrors form={form} labels={{ email: t("auth:email") }} hint={null} />
      <TextField
        {...fieldProps(fields.email)}
        label={t("auth:email")}
        type="email"
        autoComplete="username"
        inputMode="email"
        required
      />
      <div className="grid gap-2">
        <Button type="submit" variant="primary" pending={busy}>
          {busy ? t("auth:retrieve.submitting") : t("auth:retrieve.submit")}
        </Button>
        <LinkButton href="/login" variant="quiet">
          {t("auth:toLogin")}
        </LinkButton>
      </div>
    </Form>
  );
}
