import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { later } from "~/i18n/later";
import { SHOP_WORDS } from "./words";

const LostPage = later(() => import("./lost-page"), SHOP_WORDS);

/** A page of a shop that cannot be shown leaves the event beside it as it is. */
export function ShopErrorBoundary() {
  const error = useRouteError();
  const isLost = isRouteErrorResponse(error) && error.status === 404;
  return <LostPage isLost={isLost} hasShop={!isLost || error.data !== "no_shop"} />;
}
