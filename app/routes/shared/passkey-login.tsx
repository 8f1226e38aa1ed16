import { useFetcher, useNavigation, useSubmit } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/notice";
import { useMessage } from "~/forms/words";
import { useTranslation } from "~/i18n/use-translation";
import type { action as challenge } from "../passkey-challenge";
import { usePasskeySupport } from "./passkey-support";

/** Logs in with a passkey, where the browser can; without scripts it is not there. Posts to /login. */
export function PasskeyLogin({ next }: { readonly next: string | null }) {
  const { t } = useTranslation();
  const message = useMessage();
  const supported = usePasskeySupport();
  const fetcher = useFetcher<typeof challenge>();
  const submit = useSubmit();
  const [waiting, setWaiting] = useState(false);
  const [closed, setClosed] = useState(false);
  const busy = useNavigation().formAction === "/login";
  const { data } = fetcher;

  useEffect(() => {
    if (!data?.options) return;
    let left = false;
    void (async () => {
      setWaiting(true);
      const { presentPasskey } = await import("./passkey.client");
      const credential = await presentPasskey(data.options);
      if (left) return;
      setWaiting(false);
      if (typeof credential === "string") setClosed(true);
      else
        submit(
          { credential: JSON.stringify(credential), next: next ?? "" },
          { method: "post", action: "/login" },
        );
    })();
    return () => {
      left = true;
    };
  }, [data, next, submit]);

  if (!supported) return null;
  const pending = waiting || fetcher.state !== "idle";
  return (
    <div className="grid gap-6">
      <p aria-hidden="true" className="flex items-center gap-3 text-xs text-muted">
        <span className="h-px flex-1 bg-line" />
        {t("auth.or")}
        <span className="h-px flex-1 bg-line" />
      </p>
      {data?.failure && (
        <Notice tone="danger" live>
          {message(data.failure.key)}
        </Notice>
      )}
      {closed && !pending && <Notice live>{t("auth.passkeyClosed")}</Notice>}
      <fetcher.Form method="post" action="/login/passkey" className="grid" onSubmit={() => setClosed(false)}>
        <Button type="submit" icon="key" pending={pending || busy}>
          {pending ? t("auth.passkeyWaiting") : t("auth.passkey")}
        </Button>
      </fetcher.Form>
    </div>
  );
}
