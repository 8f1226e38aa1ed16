import { isRouteErrorResponse, useLocation, useNavigationType, useRouteError } from "@remix-run/react";
import { MessagePage } from "~/components/message-page";
import { useTranslation } from "~/i18n/translation";
import { useRendering } from "./rendering";

const MESSAGE_BY_STATUS = {
  400: "badRequest",
  403: "forbidden",
  404: "notFound",
  405: "notFound",
  413: "badRequest",
  429: "rateLimited",
} as const;

/**
 * Error page: what happened, and what to do. It does not contain the error's text.
 * @param isBelowTopBar whether the page is displayed below the top bar
 */
export function FailurePage({ isBelowTopBar = false }: { readonly isBelowTopBar?: boolean }) {
  const { t } = useTranslation();
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const isFirstOrRestoredEntry = useNavigationType() === "POP";
  const { requestId } = useRendering();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const kind =
    status in MESSAGE_BY_STATUS ? MESSAGE_BY_STATUS[status as keyof typeof MESSAGE_BY_STATUS] : "error";
  const isMissing = kind === "notFound" || kind === "forbidden";
  const statusText = isRouteErrorResponse(error) ? `${status} ${error.statusText}`.trim() : "500";
  // The request id belongs to the request that loaded the document, so it is omitted after a client-side navigation to a new history entry.
  const reference = kind === "error" && isFirstOrRestoredEntry && requestId;
  return (
    <MessagePage
      icon={kind === "notFound" ? "search" : kind === "forbidden" ? "lock" : "warning"}
      title={t(`shared:shell.page.${kind}Title`)}
      brand={!isBelowTopBar}
      note={
        <>
          <p>{t("shared:shell.page.status", { status: statusText })}</p>
          {reference && <p>{t("shared:shell.page.errorReference", { id: reference })}</p>}
        </>
      }
      link={{
        // The link loads a new document, because the current one may be broken, and because a visitor's page has no messages for other pages.
        reload: true,
        ...(isMissing
          ? { href: "/", label: t("shared:shell.home") }
          : { href: pathname + search, label: t("shared:shell.page.tryAgain") }),
      }}
    >
      {t(`shared:shell.page.${kind}Text`)}
    </MessagePage>
  );
}
