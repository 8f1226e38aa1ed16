import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { CopyField } from "~/components/fields/copy-field";
import { useTranslation } from "~/i18n/translation";
import { FormErrors } from "../shared/form-parts";
import { CurrentPassword } from "./current-password";
import { OneTimeCodeField } from "./one-time-code-field";

export interface SecondFactorFormProps {
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly email: string;
  readonly requiresPassword: boolean;
  readonly setup: {
    /** QR code as a data URL. */
    readonly qr: string;
    /** The same secret as text, to type into the app. */
    readonly secret: string;
    /** The secret, encrypted by the server. The form posts it back. */
    readonly sealed: string;
  };
}

/** Sets up an authenticator app. The form shows the secret and requires a code that confirms it. */
export function SecondFactorForm({ lastResult, email, requiresPassword, setup }: SecondFactorFormProps) {
  const { t } = useTranslation();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useForm<{ oneTimeCode: string; currentPassword: string }, string[]>({
    id: "second-factor",
    lastResult,
    defaultValue: { oneTimeCode: "", currentPassword: "" },
    defaultNoValidate: false,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-6">
      <FormErrors
        form={form}
        labels={{
          oneTimeCode: t("account:secondFactor.code"),
          currentPassword: t("shared-owners:confirm.currentPassword"),
        }}
        hint={null}
      />
      <input type="hidden" name="intent" value="add" />
      <input type="hidden" name="sealed" value={setup.sealed} />
      <div className="grid gap-3">
        <h3 className="font-semibold">{t("account:secondFactor.scanTitle")}</h3>
        <p className="text-sm text-muted text-phrase">{t("account:secondFactor.scan")}</p>
        <img
          src={setup.qr}
          alt={t("account:secondFactor.qr")}
          width={224}
          height={224}
          className="rounded border border-line bg-white [image-rendering:pixelated]"
        />
        <CopyField
          id="second-factor-secret"
          label={t("account:secondFactor.secret")}
          value={setup.secret}
          wraps
        />
      </div>
      <div className="grid gap-3">
        <h3 className="font-semibold">{t("account:secondFactor.codeTitle")}</h3>
        <OneTimeCodeField
          field={fields.oneTimeCode}
          label={t("account:secondFactor.code")}
          hint={t("account:secondFactor.codeHint")}
        />
        {requiresPassword && <CurrentPassword field={fields.currentPassword} email={email} />}
      </div>
      <div>
        <Button type="submit" variant="primary" pending={busy}>
          {t("account:secondFactor.submit")}
        </Button>
      </div>
    </Form>
  );
}
