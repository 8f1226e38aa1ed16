import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { RadioCards } from "~/components/fields/radio-cards";
import { TextField } from "~/components/fields/text-field";
import { TickList } from "~/components/fields/tick-list";
import { TOKEN_NAME_MAX } from "~/domain/shared/limits";
import type { Scope } from "~/domain/webhooks/scopes";
import { TOKEN_DAYS, TOKEN_DAYS_DEFAULT } from "~/domain/webhooks/tokens";
import { useTranslation } from "~/i18n/translation";
import { CurrentPassword } from "../auth/current-password";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";

export interface TokenFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** Id of the token that the form will create. */
  readonly id: string;
  /** Scopes that the account can grant. Every token also has `read`. */
  readonly scopes: readonly Exclude<Scope, "read">[];
  readonly requiresPassword: boolean;
  readonly email: string;
  /** URL to which the form posts. */
  readonly action: string;
  readonly cancelHref: string;
}

type Fields = {
  readonly id: string;
  readonly name: string;
  readonly scopes: string[];
  readonly life: string;
  readonly lastDay: string;
  readonly currentPassword: string;
};

/** Creates an API token. */
export function TokenForm({
  lastResult,
  id,
  scopes,
  requiresPassword,
  email,
  action,
  cancelHref,
}: TokenFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const [form, fields] = useForm<Fields, string[]>({
    id: "token",
    lastResult,
    defaultValue: {
      id,
      name: "",
      scopes: [],
      life: String(TOKEN_DAYS_DEFAULT),
      lastDay: "",
      currentPassword: "",
    },
    defaultNoValidate: false,
  });
  const chosenScopes = [fields.scopes.initialValue ?? []].flat().map(String);
  return (
    <Form method="post" action={action} {...getFormProps(form)} className="grid gap-6">
      <p className="text-muted text-phrase">{t("webhooks:tokens.createLead")}</p>
      <FormErrors
        form={form}
        hint={null}
        labels={{
          name: t("webhooks:tokens.name"),
          scopes: t("webhooks:tokens.scopes"),
          life: t("webhooks:tokens.life"),
          lastDay: t("webhooks:tokens.lastDay"),
          currentPassword: t("shared-owners:confirm.currentPassword"),
        }}
      />
      <input type="hidden" name="intent" value="create" />
      <input type="hidden" name={fields.id.name} value={String(fields.id.initialValue ?? id)} />
      <TextField
        {...fieldProps(fields.name)}
        label={t("webhooks:tokens.name")}
        hint={t("webhooks:tokens.nameHint")}
        maxCharacters={TOKEN_NAME_MAX}
        autoComplete="off"
        required
      />
      <TickList
        {...fieldProps(fields.scopes)}
        label={t("webhooks:tokens.scopes")}
        hint={t("webhooks:tokens.scopesHint")}
        options={scopes.map((scope) => ({
          value: scope,
          label: t(`webhooks:tokens.scope.${scope}`),
          hint: t(`webhooks:tokens.scopeText.${scope}`),
        }))}
        defaultValues={chosenScopes}
      />
      <RadioCards
        {...fieldProps(fields.life)}
        label={t("webhooks:tokens.life")}
        options={[
          ...TOKEN_DAYS.map((days) => ({ value: String(days), label: t("webhooks:tokens.days", { days }) })),
          { value: "date", label: t("webhooks:tokens.untilDate") },
        ]}
      />
      <TextField
        {...fieldProps(fields.lastDay)}
        type="date"
        label={t("webhooks:tokens.lastDay")}
        hint={t("webhooks:tokens.lastDayHint")}
        className="max-w-60"
      />
      {requiresPassword && <CurrentPassword field={fields.currentPassword} email={email} />}
      <FormButtons
        keepScroll
        submit={t("webhooks:tokens.createSubmit")}
        cancel={t("shared-owners:confirm.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
