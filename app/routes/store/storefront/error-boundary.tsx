import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";

const NotFoundPage = createLatePart(withMessages(["store-visitors"], () => import("./not-found-page")));

/** Error boundary of the shop's pages. The rest of the event's page stays usable. */
export function ShopErrorBoundary() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  return <NotFoundPage isNotFound={isNotFound} hasShop={!isNotFound || error.data !== "no_shop"} />;
}
