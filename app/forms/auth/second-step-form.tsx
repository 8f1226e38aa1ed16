import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useNavigation } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { createSecondStepSchema } from "~/domain/auth/login.schema";
import { useTranslation } from "~/i18n/translation";
import { FormErrors } from "../shared/form-parts";
import { OneTimeCodeField } from "./one-time-code-field";

export interface SecondStepFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** State between the two steps of the log-in, encrypted by the server. */
  readonly pending: string;
  /** Path of the page after the log-in; null for the start page. */
  readonly next: string | null;
}

/** Second step of a log-in: requires a code after the password was correct. Posts to /login. */
export function SecondStepForm({ lastResult, pending, next }: SecondStepFormProps) {
  const { t } = useTranslation();
  const busy = useNavigation().formAction === "/login";
  const [form, fields] = useForm<{ pending: string; oneTimeCode: string; next: string }, string[]>({
    id: "second-step",
    lastResult,
    defaultValue: { oneTimeCode: "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createSecondStepSchema() }) as never,
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" action="/login" {...getFormProps(form)} className="grid gap-6">
      <FormErrors
        form={form}
        labels={{ oneTimeCode: t("auth:secondStep.code") }}
        // null: no title; undefined: the default title
        title={form.errors ? null : undefined}
        hint={null}
      />
      <input type="hidden" name="pending" value={pending} />
      <input type="hidden" name="next" value={next ?? ""} />
      <OneTimeCodeField
        field={fields.oneTimeCode}
        label={t("auth:secondStep.code")}
        hint={t("auth:secondStep.hint")}
        takesRecoveryCodes
        autoFocus
      />
      <Button type="submit" variant="primary" pending={busy}>
        {busy ? t("auth:submitting") : t("auth:submit")}
      </Button>
      <p className="text-sm text-muted text-phrase">{t("auth:secondStep.lost")}</p>
      <Anchor
        href={next === null ? "/login" : `/login?next=${encodeURIComponent(next)}`}
        className="-my-3 inline-flex min-h-10 items-center justify-self-start text-sm underline"
      >
        {t("auth:secondStep.again")}
      </Anchor>
    </Form>
  );
}
