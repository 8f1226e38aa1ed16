import { useNavigation, useSubmit } from "@remix-run/react";
import { Button } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { usePasskeyResponse } from "./use-passkey-response";

/** Button for logging in with a passkey; it posts to /login. It needs scripts and a browser with passkeys. */
export function PasskeyLogin({ next }: { readonly next: string | null }) {
  const { t } = useTranslation();
  const message = useMessage();
  const submit = useSubmit();
  const busy = useNavigation().formAction === "/login";
  const passkey = usePasskeyResponse((credential) =>
    submit({ credential, next: next ?? "" }, { method: "post", action: "/login" }),
  );
  if (!passkey.isSupported) return null;
  return (
    <div className="grid gap-6">
      <p aria-hidden="true" className="flex items-center gap-3 text-xs text-muted">
        <span className="h-px flex-1 bg-line" />
        {t("auth:or")}
        <span className="h-px flex-1 bg-line" />
      </p>
      {passkey.failure && (
        <Notice tone="danger" live>
          {message(passkey.failure)}
        </Notice>
      )}
      {passkey.isClosed && <Notice live>{t("auth:passkeyClosed")}</Notice>}
      <Button icon="key" pending={passkey.isPending || busy} onClick={passkey.start}>
        {passkey.isPending ? t("auth:passkeyWaiting") : t("auth:passkey")}
      </Button>
    </div>
  );
}
