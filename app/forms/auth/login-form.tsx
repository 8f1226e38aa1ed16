import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useNavigation } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { PasswordField } from "~/components/fields/password-field";
import { TextField } from "~/components/fields/text-field";
import { createLoginSchema } from "~/domain/auth/login.schema";
import { useTranslation } from "~/i18n/translation";
import { FormErrors, useFieldProps } from "../shared/form-parts";

export interface LoginFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** Path of the page after the log-in; null for the start page. */
  readonly next: string | null;
}

/** The log-in form. Posts to /login. */
export function LoginForm({ lastResult, next }: LoginFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const busy = useNavigation().formAction === "/login";
  const [form, fields] = useForm({
    id: "login",
    lastResult,
    defaultValue: { email: "", password: "", next: next ?? "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createLoginSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" action="/login" {...getFormProps(form)} className="grid gap-6">
      {/* A rejected log-in is not an input error, so the default title about checking the input is omitted. */}
      <FormErrors
        form={form}
        labels={{ email: t("auth:email"), password: t("auth:password") }}
        // null: no title; undefined: the default title
        title={form.errors ? null : undefined}
        hint={null}
      />
      <input type="hidden" name={fields.next.name} defaultValue={fields.next.initialValue ?? next ?? ""} />
      <TextField
        {...fieldProps(fields.email)}
        label={t("auth:email")}
        type="email"
        autoComplete="username"
        inputMode="email"
        required
      />
      <PasswordField
        {...fieldProps(fields.password)}
        defaultValue=""
        label={t("auth:password")}
        autoComplete="current-password"
        required
      />
      <Anchor
        href="/retrieve-password"
        className="-my-3 inline-flex min-h-10 items-center justify-self-start text-sm underline"
      >
        {t("auth:forgot")}
      </Anchor>
      <Button type="submit" variant="primary" pending={busy}>
        {busy ? t("auth:submitting") : t("auth:submit")}
      </Button>
    </Form>
  );
}
