import { isRouteErrorResponse, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { Button } from "~/components/button";
import { MessagePage } from "~/components/message-page";
import { useTranslation } from "~/i18n/translation";

/** What browsers say where an answer never came. */
const UNREACHED = /fetch|network|load failed/i;

/** Whether a screen could not be shown because nobody was reached, and not because something went wrong. */
export const isLost = (error: unknown): boolean =>
  !isRouteErrorResponse(error) &&
  error instanceof TypeError &&
  (UNREACHED.test(error.message) || (typeof navigator !== "undefined" && !navigator.onLine));

/** A screen that could not be fetched. It comes by itself as soon as there is a connection; a document read anew would lose what waits to be saved. */
export function LostPage() {
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
