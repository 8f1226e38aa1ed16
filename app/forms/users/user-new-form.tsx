import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { DEFAULT_LICENSE } from "~/domain/shared/limits";
import { DEFAULT_TIME_ZONE } from "~/domain/shared/time-zone";
import { createNewUserSchema } from "~/domain/users/user.schema";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";
import {
  FormSection,
  LimitFields,
  ProfileFields,
  RoleField,
  type UserFields,
  userFieldLabels,
} from "./user-fields";

export interface UserNewFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly timeZones: readonly string[];
}

/** Adds a user. `invite` sends the invitation immediately; `approved` activates the account as soon as the invitation is accepted. */
export function UserNewForm({ lastResult, timeZones }: UserNewFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm({
    id: "user",
    lastResult,
    defaultValue: {
      email: "",
      lastName: "",
      firstName: "",
      companyName: "",
      language: "ja",
      timeZone: DEFAULT_TIME_ZONE,
      role: "user",
      spaceLicense: String(DEFAULT_LICENSE.spaces),
      storageLimit: String(DEFAULT_LICENSE.gigabytes),
      approved: "on",
      invite: "on",
    },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createNewUserSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  const userFields = fields as unknown as UserFields;
  const checkboxProps = (field: Parameters<typeof fieldProps>[0]) => {
    const { defaultValue, ...props } = fieldProps(field);
    return { ...props, defaultChecked: defaultValue === "on" };
  };
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-8">
      <FormErrors form={form} labels={userFieldLabels(t)} />
      <ProfileFields fields={userFields} timeZones={timeZones} />
      <FormSection title={t("users:user.access")}>
        <RoleField fields={userFields} />
        <CheckboxField
          {...checkboxProps(fields.invite)}
          label={t("users:user.invite")}
          hint={t("users:user.inviteHint")}
        />
        <CheckboxField
          {...checkboxProps(fields.approved)}
          label={t("users:user.approved")}
          hint={t("users:user.approvedHint")}
        />
      </FormSection>
      <LimitFields fields={userFields} />
      <FormButtons submit={t("users:user.create")} cancel={t("users:user.cancel")} cancelHref="/user-list" />
    </Form>
  );
}
