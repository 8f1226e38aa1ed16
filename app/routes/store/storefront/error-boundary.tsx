import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";

const LostPage = later(withMessages(["store-visitors"], () => import("./not-found-page")));

/** Error boundary of the shop's pages: the event beside the page stays as it is. */
export function ShopErrorBoundary() {
  const error = useRouteError();
  const isLost = isRouteErrorResponse(error) && error.status === 404;
  return <LostPage isLost={isLost} hasShop={!isLost || error.data !== "no_shop"} />;
}
