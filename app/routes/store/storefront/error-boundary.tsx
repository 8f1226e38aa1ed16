import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";

const LostPage = later(withMessages(["store-visitors"], () => import("./not-found-page")));

/** A page of a shop that cannot be shown leaves the event beside it as it is. */
export function ShopErrorBoundary() {
  const error = useRouteError();
  const isLost = isRouteErrorResponse(error) && error.status === 404;
  return <LostPage isLost={isLost} hasShop={!isLost || error.data !== "no_shop"} />;
}
