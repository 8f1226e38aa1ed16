const SHOP = /\/shop(\/.*)?$/;

/** Whether a path is of an event's shop. */
export const isShopPath = (pathname: string): boolean => SHOP.test(pathname);

/** Whether a path is of an owner's preview of what visitors see. */
export const isPreviewPath = (pathname: string): boolean =>
  /^\/event\/[^/]+\/as-visitor\/page(\/|$)/.test(pathname);

/** The path of the event that a path of its page or its shop belongs to. */
export const eventAddress = (pathname: string): string => pathname.replace(SHOP, "");
