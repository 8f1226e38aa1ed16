import { isRouteErrorResponse, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { Button } from "~/components/button";
import { MessagePage } from "~/components/message-page";
import { useTranslation } from "~/i18n/translation";

/** Messages of browsers for a request without a response. */
const NO_RESPONSE_MESSAGE = /fetch|network|load failed/i;

/** Whether a page failed because the server could not be reached, not because of another error. */
export const isUnreachable = (error: unknown): boolean =>
  !isRouteErrorResponse(error) &&
  error instanceof TypeError &&
  (NO_RESPONSE_MESSAGE.test(error.message) || (typeof navigator !== "undefined" && !navigator.onLine));

/** Shown in place of a page that could not be loaded. It loads that page once there is a connection; reloading the document would lose unsaved changes. */
export function OfflinePage() {
  const { t } = useTranslation();
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    window.addEventListener("online", revalidate);
    return () => window.removeEventListener("online", revalidate);
  }, [revalidate]);
  return (
    <MessagePage icon="warning" title={t("shared-owners:lost.title")} brand={false}>
      <p role="status">{t("shared-owners:lost.text")}</p>
      <Button
        variant="primary"
        icon="retry"
        pending={state === "loading"}
        onClick={revalidate}
        className="mt-4 w-fit"
      >
        {t("shared-owners:retry")}
      </Button>
    </MessagePage>
  );
}
