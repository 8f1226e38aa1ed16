import { Link, type LinkProps } from "@remix-run/react";

/** A link within the shop. A page of them has hundreds, of which few are followed: the router asks where they lead when one is. */
export const ShopLink = (props: LinkProps) => <Link discover="none" {...props} />;
