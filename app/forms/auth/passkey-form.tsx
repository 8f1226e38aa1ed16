import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, type FormProps } from "@remix-run/react";
import type { ComponentType, ReactNode } from "react";
import { TextField } from "~/components/fields/text-field";
import { createPasskeyBeginSchema } from "~/domain/auth/passkey.schema";
import { PASSKEY_NAME_MAX } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";
import { CurrentPassword } from "./current-password";

export interface PasskeyFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly name: string;
  /** Values of the form's hidden fields, by name. */
  readonly values?: Readonly<Record<string, string>>;
  readonly requiresPassword: boolean;
  readonly email: string;
  readonly busy: boolean;
  readonly submit: string;
  readonly cancelHref: string;
  /** URL to which the form posts. Default: the page itself. */
  readonly action?: string;
  /** Component that replaces Remix's `Form`, for example a fetcher's form, which does not navigate. */
  readonly as?: ComponentType<FormProps>;
  readonly children?: ReactNode;
}

/** Form for the name of a new passkey or of a saved one. */
export function PasskeyForm(props: PasskeyFormProps) {
  const { lastResult, name, values = {}, requiresPassword, email, busy, submit, cancelHref, action } = props;
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const FormComponent = props.as ?? Form;
  const [form, fields] = useForm({
    id: "passkey",
    lastResult,
    defaultValue: { name, currentPassword: "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createPasskeyBeginSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <FormComponent method="post" action={action} {...getFormProps(form)} className="grid gap-6">
      {props.children}
      <FormErrors
        form={form}
        hint={null}
        labels={{
          name: t("account:passkey.name"),
          currentPassword: t("shared-owners:confirm.currentPassword"),
        }}
      />
      {Object.entries(values).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      <TextField
        {...fieldProps(fields.name)}
        label={t("account:passkey.name")}
        hint={t("account:passkey.nameHint")}
        maxCharacters={PASSKEY_NAME_MAX}
        autoComplete="off"
        required
      />
      {requiresPassword && <CurrentPassword field={fields.currentPassword} email={email} />}
      <FormButtons
        keepScroll
        pending={busy}
        submit={submit}
        cancel={t("shared-owners:confirm.cancel")}
        cancelHref={cancelHref}
      />
    </FormComponent>
  );
}
