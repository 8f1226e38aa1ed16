import { Link, type LinkProps } from "@remix-run/react";

interface ShopLinkProps extends Omit<LinkProps, "discover"> {
  /** Path and query of a page. */
  readonly to: string;
}

/** Link within the shop. A page can have hundreds of links, so the router discovers the route of a link only when it is followed. */
export function ShopLink({ replace, preventScrollReset, to, ...rest }: ShopLinkProps) {
  // On the server, Link's hooks would take a tenth of the rendering time of a list, and the element is the same.
  if (import.meta.env.SSR) return <a {...rest} href={to} />;
  return <Link discover="none" replace={replace} preventScrollReset={preventScrollReset} to={to} {...rest} />;
}
