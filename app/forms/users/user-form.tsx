import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form } from "@remix-run/react";
import { RadioCards } from "~/components/fields/radio-cards";
import { UserStatusShape } from "~/components/status/user-status";
import type { UserStatus } from "~/domain/shared/model";
import { createUserSchema, type UserField } from "~/domain/users/user.schema";
import { administratorMoves, USER_STATUSES } from "~/domain/users/user-status";
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

/** The texts of an account's form. */
export type UserInput = Readonly<Record<UserField | "version", string>>;

export interface UserFormProps {
  readonly saved: UserInput;
  readonly status: UserStatus;
  readonly hasPassword: boolean;
  /** Whether it is the administrator's own account, whose address, role and status cannot be changed here. */
  readonly isOwn: boolean;
  /** Whether the account is in the trash. Saving then restores it. */
  readonly restores: boolean;
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** The saved version that this form may overwrite after a conflict. */
  readonly conflictVersion?: number;
  readonly timeZones: readonly string[];
}

/** Form for the profile, role, status and limits of an account. */
export function UserForm({
  saved,
  status,
  hasPassword,
  isOwn,
  restores,
  lastResult,
  conflictVersion,
  timeZones,
}: UserFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm({
    id: "user",
    lastResult,
    defaultValue: saved,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createUserSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  const userFields = fields as unknown as UserFields;
  const { defaultValue: chosenStatus, ...statusProps } = fieldProps(fields.status);
  const allowedStatuses = new Set<UserStatus>([status, ...administratorMoves(status, hasPassword)]);
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-8">
      <FormErrors form={form} labels={userFieldLabels(t)} />
      <input
        type="hidden"
        key={conflictVersion}
        name={fields.version.name}
        defaultValue={conflictVersion ?? saved.version}
      />
      <ProfileFields fields={userFields} timeZones={timeZones} isOwn={isOwn} />
      <FormSection title={t("users:user.access")}>
        {isOwn && <p className="text-sm text-muted text-phrase">{t("users:user.statusOwn")}</p>}
        <RoleField fields={userFields} fixed={isOwn} />
        {isOwn && <input type="hidden" name={fields.status.name} value={chosenStatus} />}
        <RadioCards
          {...statusProps}
          name={isOwn ? `${statusProps.name}-shown` : statusProps.name}
          label={t("users:user.status")}
          defaultValue={chosenStatus}
          options={USER_STATUSES.filter(
            (candidate) => allowedStatuses.has(candidate) || candidate === chosenStatus,
          ).map((option) => ({
            value: option,
            label: t(`users:people.status.${option}`),
            description: t(`users:user.statusHint.${option}`),
            mark: <UserStatusShape status={option} />,
            disabled: isOwn,
          }))}
        />
      </FormSection>
      <LimitFields fields={userFields} />
      {restores && <input type="hidden" name="restore" value="on" />}
      <FormButtons
        submit={restores ? t("users:user.restoreAndSave") : t("users:user.save")}
        cancel={t("users:user.cancel")}
        cancelHref="/user-list"
      />
    </Form>
  );
}
