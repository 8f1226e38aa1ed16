import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { FieldDetails, FieldDetailsList } from "~/components/fields/field-details";
import { ComboboxField, SelectField } from "~/components/fields/select-field";
import { TextField } from "~/components/fields/text-field";
import { createProfileSchema, type ProfileValue } from "~/domain/auth/profile.schema";
import { LANGS } from "~/domain/shared/lang";
import { COMPANY_NAME_MAX, PERSON_NAME_MAX } from "~/domain/shared/limits";
import { useTranslation } from "~/i18n/translation";
import { FormErrors, useFieldProps } from "../shared/form-parts";
import { useMessage } from "../shared/user-message";

export interface ProfileFormProps {
  readonly saved: ProfileValue;
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** The saved version that this form may overwrite after a conflict. */
  readonly conflictVersion?: number;
  /** Time zones that can be chosen. */
  readonly timeZones: readonly string[];
}

/** Returns a time zone's label. The city comes first, because a native select finds an option by its first letters. */
function zoneLabel(zone: string): string {
  const parts = zone.replaceAll("_", " ").split("/");
  const city = parts.pop() ?? zone;
  return parts.length === 0 ? city : `${city} (${parts.join("/")})`;
}

/** Returns the options of time zones, sorted by city. */
export const zoneOptions = (zones: readonly string[]) =>
  zones
    .map((value) => ({ value, label: zoneLabel(value) }))
    .sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));

/** The profile of the logged-in user. It always posts to /account, without the page's query parameters. */
export function ProfileForm({ saved, lastResult, conflictVersion, timeZones }: ProfileFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const message = useMessage();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useForm({
    id: "profile-form",
    lastResult,
    defaultValue: { ...saved, version: String(saved.version), statusMails: saved.statusMails ? "on" : "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createProfileSchema() }),
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  return (
    <Form method="post" action="/account" {...getFormProps(form)} className="grid gap-6">
      <FormErrors
        form={form}
        labels={{
          lastName: t("account:profile.lastName"),
          firstName: t("account:profile.firstName"),
          companyName: t("account:profile.companyName"),
          language: t("account:profile.language"),
          timeZone: t("account:profile.timeZone"),
          statusMails: t("account:profile.statusMails"),
        }}
      />
      <input
        type="hidden"
        key={conflictVersion}
        name={fields.version.name}
        defaultValue={conflictVersion ?? fields.version.initialValue}
      />
      <div className="grid gap-6 sm:grid-cols-2 sm:gap-4">
        <TextField
          {...fieldProps(fields.lastName)}
          label={t("account:profile.lastName")}
          autoComplete="family-name"
          maxCharacters={PERSON_NAME_MAX}
        />
        <TextField
          {...fieldProps(fields.firstName)}
          label={t("account:profile.firstName")}
          autoComplete="given-name"
          maxCharacters={PERSON_NAME_MAX}
        />
      </div>
      <TextField
        {...fieldProps(fields.companyName)}
        label={t("account:profile.companyName")}
        autoComplete="organization"
        maxCharacters={COMPANY_NAME_MAX}
      />
      <SelectField
        {...fieldProps(fields.language)}
        label={t("account:profile.language")}
        hint={t("account:profile.languageHint")}
        options={LANGS.map((value) => ({ value, label: t(`account:profile.languageName.${value}`) }))}
      />
      <FieldDetailsList>
        <FieldDetails
          name="time"
          title={t("account:profile.timeAndMails")}
          summary={zoneLabel(fields.timeZone.value ?? saved.timeZone)}
          hasError={Boolean(fields.timeZone.errors ?? fields.statusMails.errors)}
        >
          <ComboboxField
            {...fieldProps(fields.timeZone)}
            label={t("account:profile.timeZone")}
            hint={t("account:profile.timeZoneHint")}
            options={zoneOptions(timeZones)}
          />
          <CheckboxField
            name={fields.statusMails.name}
            id={fields.statusMails.id}
            error={fields.statusMails.errors?.map(message)}
            defaultChecked={fields.statusMails.initialValue === "on"}
            label={t("account:profile.statusMails")}
            hint={t("account:profile.statusMailsHint")}
          />
        </FieldDetails>
      </FieldDetailsList>
      <div>
        <Button type="submit" variant="primary" pending={busy}>
          {busy
            ? t("account:saving")
            : conflictVersion === undefined
              ? t("account:save")
              : t("account:profile.saveMine")}
        </Button>
      </div>
    </Form>
  );
}
