const SHOP_PATH = /\/shop(\/.*)?$/;

/** Whether a path belongs to an event's shop. */
export const isShopPath = (pathname: string): boolean => SHOP_PATH.test(pathname);

/** Whether a path belongs to an owner's preview. */
export const isPreviewPath = (pathname: string): boolean =>
  /^\/event\/[^/]+\/as-visitor\/page(\/|$)/.test(pathname);

/** Path of an event's page, from the path of that page or of a page of its shop. */
export const withoutShopPath = (pathname: string): string => pathname.replace(SHOP_PATH, "");
