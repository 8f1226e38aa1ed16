import { Link, type LinkProps } from "@remix-run/react";

/** Link within the shop. A page can have hundreds of links, so the router discovers the route of a link only when it is followed. */
export const ShopLink = (props: LinkProps) => <Link discover="none" {...props} />;
