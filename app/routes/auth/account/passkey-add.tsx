import type { SubmissionResult } from "@conform-to/react";
import { useFetcher, useNavigation, useSubmit } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Notice } from "~/components/status/notice";
import { PasskeyForm } from "~/forms/auth/passkey-form";
import { useTranslation } from "~/i18n/translation";
import type { PasskeyRejection } from "../passkeys/passkey.client";
import { usePasskeySupport } from "../passkeys/passkey-support";
import type { action as passkeyOptionsAction } from "./passkey-options";

export interface PasskeyAddProps {
  /** Result of submitting the device's response. The fetcher has the errors of the first step. */
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly email: string;
  readonly requiresPassword: boolean;
  /** Suggested name of the new passkey. */
  readonly name: string;
  readonly cancelHref: string;
}

/** Adds a passkey in three steps: the form requests a challenge, the device responds, and the response is submitted to the page. */
export function PasskeyAdd({ lastResult, email, requiresPassword, name, cancelHref }: PasskeyAddProps) {
  const { t } = useTranslation();
  const isSupported = usePasskeySupport();
  const fetcher = useFetcher<typeof passkeyOptionsAction>();
  const submit = useSubmit();
  const isSending = useNavigation().formMethod === "POST";
  const [isWaiting, setWaiting] = useState(false);
  const [rejection, setRejection] = useState<PasskeyRejection | null>(null);
  const { data } = fetcher;

  useEffect(() => {
    if (!data?.options) return;
    let isOutdated = false;
    void (async () => {
      setWaiting(true);
      setRejection(null);
      const { createPasskey } = await import("../passkeys/passkey.client");
      const credential = await createPasskey(data.options);
      if (isOutdated) return;
      setWaiting(false);
      if (typeof credential === "string") setRejection(credential);
      else
        submit(
          { intent: "passkey-add", name: data.name, credential: JSON.stringify(credential) },
          { method: "post" },
        );
    })();
    return () => {
      isOutdated = true;
    };
  }, [data, submit]);

  const busy = isWaiting || isSending || fetcher.state !== "idle";
  if (isSupported === null) return <Notice>{t("account:passkey.needsScript")}</Notice>;
  if (!isSupported) return <Notice>{t("account:passkey.unsupported")}</Notice>;
  return (
    <PasskeyForm
      as={fetcher.Form}
      action="/account/passkey"
      lastResult={(data?.lastResult as SubmissionResult<string[]> | null | undefined) ?? lastResult}
      name={name}
      requiresPassword={requiresPassword}
      email={email}
      busy={busy}
      submit={busy ? t("account:passkey.adding") : t("account:passkey.addSubmit")}
      cancelHref={cancelHref}
    >
      <p className="text-muted text-phrase">{t("account:passkey.addLead")}</p>
      {rejection && !busy && (
        <Notice tone="warning" live>
          {t(`account:passkey.${rejection}`)}
        </Notice>
      )}
    </PasskeyForm>
  );
}
