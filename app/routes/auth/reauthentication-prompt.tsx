import { useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Button, ButtonRow } from "~/components/button";
import { PasswordField } from "~/components/fields/password-field";
import { Notice } from "~/components/status/notice";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { usePasskeyResponse } from "./passkeys/use-passkey-response";
import type { Reauthentication } from "./reauthentication.server";

const FIELD_ID = "reauthentication-password";

/**
 * Prompt for the password or a passkey, with which a form is submitted again. It is rendered outside of the form; its fields and its button refer to
 * the form by its id, with and without scripts.
 * @param form id of the form
 */
export function ReauthenticationPrompt({
  form,
  reauthentication,
}: {
  readonly form: string;
  readonly reauthentication: Reauthentication;
}) {
  const { t } = useTranslation();
  const message = useMessage();
  const busy = useNavigation().formMethod === "POST";
  useEffect(() => {
    if (reauthentication) document.getElementById(FIELD_ID)?.focus();
  }, [reauthentication]);
  return (
    <Notice tone="warning" title={t("users:reauthentication.title")} live>
      <div className="mt-1 grid max-w-md gap-4">
        <p>{t("users:reauthentication.text")}</p>
        <input type="text" autoComplete="username" value={reauthentication.email} readOnly hidden />
        <PasswordField
          name="currentPassword"
          id={FIELD_ID}
          form={form}
          label={t("shared-owners:confirm.currentPassword")}
          error={reauthentication.error === null ? undefined : message(reauthentication.error)}
          autoComplete="current-password"
        />
        <ButtonRow>
          <Button type="submit" form={form} variant="primary" pending={busy}>
            {t("users:reauthentication.submit")}
          </Button>
          {reauthentication.hasPasskeys && <PasskeyButton form={form} />}
        </ButtonRow>
      </div>
    </Notice>
  );
}

/** Lets a passkey respond to a challenge and submits the form with the response. Requires scripts. */
function PasskeyButton({ form }: { readonly form: string }) {
  const { t } = useTranslation();
  const message = useMessage();
  const field = useRef<HTMLInputElement>(null);
  const passkey = usePasskeyResponse((response) => {
    if (!field.current) return;
    field.current.value = response;
    field.current.form?.requestSubmit();
    // A response is valid only once, so the next submission must not contain it.
    field.current.value = "";
  });
  if (!passkey.isSupported) return null;
  return (
    <>
      <input type="hidden" name="credential" form={form} ref={field} />
      <Button icon="key" pending={passkey.isPending} onClick={passkey.start}>
        {passkey.isPending ? t("auth:passkeyWaiting") : t("users:reauthentication.passkey")}
      </Button>
      {passkey.failure && <p role="alert">{message(passkey.failure)}</p>}
      {passkey.isClosed && <p role="status">{t("users:reauthentication.passkeyClosed")}</p>}
    </>
  );
}
