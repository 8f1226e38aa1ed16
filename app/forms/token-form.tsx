import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { RadioCards } from "~/components/radio-cards";
import { TextField } from "~/components/text-field";
import { TickList } from "~/components/tick-list";
import { TOKEN_NAME_MAX } from "~/domain/limits";
import type { Scope } from "~/domain/scopes";
import { TOKEN_DAYS, TOKEN_DAYS_USUAL } from "~/domain/tokens";
import { useTranslation } from "~/i18n/use-translation";
import { CurrentPassword } from "./current-password";
import { FormButtons, FormErrors, useFieldProps } from "./form-parts";

export interface TokenFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  /** Of the token that it makes. */
  readonly id: string;
  /** What the account can give, `read` aside. */
  readonly scopes: readonly Scope[];
  readonly asksPassword: boolean;
  readonly email: string;
  /** Where it posts. */
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

/** Makes an access token. */
export function TokenForm({
  lastResult,
  id,
  scopes,
  asksPassword,
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
      life: String(TOKEN_DAYS_USUAL),
      lastDay: "",
      currentPassword: "",
    },
    defaultNoValidate: false,
  });
  const chosen = [fields.scopes.initialValue ?? []].flat().map(String);
  return (
    <Form method="post" action={action} {...getFormProps(form)} className="grid gap-6">
      <p className="text-muted text-phrase">{t("tokens.createLead")}</p>
      <FormErrors
        form={form}
        hint={null}
        labels={{
          name: t("tokens.name"),
          scopes: t("tokens.scopes"),
          life: t("tokens.life"),
          lastDay: t("tokens.lastDay"),
          currentPassword: t("account.currentPassword"),
        }}
      />
      <input type="hidden" name="intent" value="create" />
      <input type="hidden" name={fields.id.name} value={String(fields.id.initialValue ?? id)} />
      <TextField
        {...fieldProps(fields.name)}
        label={t("tokens.name")}
        hint={t("tokens.nameHint")}
        maxCharacters={TOKEN_NAME_MAX}
        autoComplete="off"
        required
      />
      <TickList
        {...fieldProps(fields.scopes)}
        label={t("tokens.scopes")}
        hint={t("tokens.scopesHint")}
        options={scopes.map((scope) => ({
          value: scope,
          label: t(`tokens.scope.${scope}`),
          hint: scope === "read" ? "" : t(`tokens.scopeText.${scope}`),
        }))}
        defaultValues={chosen}
      />
      <RadioCards
        {...fieldProps(fields.life)}
        label={t("tokens.life")}
        options={[
          ...TOKEN_DAYS.map((days) => ({ value: String(days), label: t("tokens.days", { days }) })),
          { value: "date", label: t("tokens.untilDate") },
        ]}
      />
      <TextField
        {...fieldProps(fields.lastDay)}
        type="date"
        label={t("tokens.lastDay")}
        hint={t("tokens.lastDayHint")}
        className="max-w-60"
      />
      {asksPassword && <CurrentPassword field={fields.currentPassword} email={email} />}
      <FormButtons
        keepScroll
        submit={t("tokens.createSubmit")}
        cancel={t("account.cancel")}
        cancelHref={cancelHref}
      />
    </Form>
  );
}
