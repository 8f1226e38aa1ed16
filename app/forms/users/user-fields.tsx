import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { NumberField } from "~/components/fields/number-field";
import { RadioCards } from "~/components/fields/radio-cards";
import { ComboboxField, SelectField } from "~/components/fields/select-field";
import { TextField } from "~/components/fields/text-field";
import { LANGS } from "~/domain/shared/lang";
import {
  COMPANY_NAME_MAX,
  EMAIL_MAX,
  PERSON_NAME_MAX,
  SPACE_LICENSE_MAX,
  STORAGE_LIMIT_MAX_GB,
} from "~/domain/shared/limits";
import { ROLES } from "~/domain/users/user-list.schema";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { type FieldLabels, useFieldProps } from "../shared/form-parts";
import { zoneOptions } from "./profile-form";

type UserFieldName =
  | "email"
  | "lastName"
  | "firstName"
  | "companyName"
  | "role"
  | "spaceLicense"
  | "storageLimit"
  | "language"
  | "timeZone";

/** Fields that all user forms have, by name. */
export type UserFields = {
  readonly [K in UserFieldName]: FieldMetadata<unknown, Record<string, unknown>, string[]>;
};

/** A section of a form with a heading: `<FormSection title=…>fields</FormSection>`. */
export function FormSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-6 border-t border-line pt-6">
      <legend className="float-left w-full text-lg font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}

/**
 * Fields for email address, names, company, language and time zone. With `isOwn`, the account is the logged-in user's own, whose email address is
 * changed with confirmation in another form.
 */
export function ProfileFields({
  fields,
  timeZones,
  isOwn = false,
}: {
  readonly fields: UserFields;
  readonly timeZones: readonly string[];
  readonly isOwn?: boolean;
}) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  return (
    <FormSection title={t("users:user.profile")}>
      <TextField
        {...fieldProps(fields.email)}
        type="email"
        label={t("users:user.email")}
        readOnly={isOwn}
        hint={
          isOwn && (
            <>
              {t("users:user.emailOwn")}
              {t("shared:space")}
              <Anchor href="/account/security" className="text-accent underline">
                {t("users:user.emailOwnLink")}
              </Anchor>
            </>
          )
        }
        autoComplete="off"
        spellCheck={false}
        maxLength={EMAIL_MAX}
        required
      />
      <div className="grid gap-6 sm:grid-cols-2 sm:gap-4">
        <TextField
          {...fieldProps(fields.lastName)}
          label={t("users:user.lastName")}
          autoComplete="off"
          maxCharacters={PERSON_NAME_MAX}
        />
        <TextField
          {...fieldProps(fields.firstName)}
          label={t("users:user.firstName")}
          autoComplete="off"
          maxCharacters={PERSON_NAME_MAX}
        />
      </div>
      <TextField
        {...fieldProps(fields.companyName)}
        label={t("users:user.company")}
        autoComplete="off"
        maxCharacters={COMPANY_NAME_MAX}
      />
      <div className="grid gap-6 sm:grid-cols-2 sm:gap-4">
        <SelectField
          {...fieldProps(fields.language)}
          label={t("users:user.language")}
          options={LANGS.map((value) => ({ value, label: t(`account:profile.languageName.${value}`) }))}
        />
        <ComboboxField
          {...fieldProps(fields.timeZone)}
          label={t("users:user.timeZone")}
          options={zoneOptions(timeZones)}
        />
      </div>
    </FormSection>
  );
}

/** Role of the account. With `fixed`, it is the logged-in user's own account, whose role cannot be changed. */
export function RoleField({
  fields,
  fixed = false,
}: {
  readonly fields: UserFields;
  readonly fixed?: boolean;
}) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const { defaultValue, ...props } = fieldProps(fields.role);
  return (
    <>
      {fixed && <input type="hidden" name={fields.role.name} value={defaultValue} />}
      <RadioCards
        {...props}
        name={fixed ? `${props.name}-shown` : props.name}
        label={t("users:user.role")}
        defaultValue={defaultValue}
        options={ROLES.map((role) => ({
          value: role,
          label: t(`users:people.role.${role}`),
          description: t(`users:user.roleHint.${role}`),
          disabled: fixed,
        }))}
      />
    </>
  );
}

/** Fields for the licence and the storage limit. */
export function LimitFields({ fields }: { readonly fields: UserFields }) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  return (
    <FormSection title={t("users:user.limits")}>
      <div className="grid gap-6 sm:grid-cols-2 sm:gap-4">
        <NumberField
          {...fieldProps(fields.spaceLicense)}
          label={t("users:user.spaceLicense")}
          hint={t("users:user.spaceLicenseHint")}
          unit={t("users:user.spaces")}
          min={0}
          max={SPACE_LICENSE_MAX}
          required
        />
        <NumberField
          {...fieldProps(fields.storageLimit)}
          label={t("users:user.storageLimit")}
          hint={t("users:user.storageLimitHint")}
          unit={t("users:user.gigabytes")}
          min={0}
          max={STORAGE_LIMIT_MAX_GB}
          step="any"
          required
        />
      </div>
    </FormSection>
  );
}

/** Returns the labels of a user's fields, in the order of every user form. */
export const userFieldLabels = (t: Translate): FieldLabels => ({
  email: t("users:user.email"),
  lastName: t("users:user.lastName"),
  firstName: t("users:user.firstName"),
  companyName: t("users:user.company"),
  language: t("users:user.language"),
  timeZone: t("users:user.timeZone"),
  role: t("users:user.role"),
  status: t("users:user.status"),
  spaceLicense: t("users:user.spaceLicense"),
  storageLimit: t("users:user.storageLimit"),
});
