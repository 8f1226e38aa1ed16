import { Link, useInRouterContext, useLocation } from "@remix-run/react";
import type { ComponentPropsWithoutRef } from "react";
import { forwardRef } from "react";

export interface AnchorProps extends ComponentPropsWithoutRef<"a"> {
  readonly href: string;
  /** Loads the whole document: needed where the language or the session changes. */
  readonly reload?: boolean;
  /** Keeps the scroll position: for dialogs and sorting in place. */
  readonly keepScroll?: boolean;
  /** Replaces the current entry of the browser's history, for links that lead back. */
  readonly replace?: boolean;
}

/** A link: `<Anchor href="/space-list">`. Inside the app it navigates without a reload; elsewhere it is a plain link. */
export const Anchor = forwardRef<HTMLAnchorElement, AnchorProps>(function Anchor(
  { href, reload, keepScroll, replace, ...rest },
  ref,
) {
  const routed = useInRouterContext();
  const inApp = /^(\/(?!\/)|\?)/.test(href);
  if (!routed || !inApp || reload || rest.target || rest.download !== undefined)
    return <a ref={ref} href={href} {...rest} />;
  // The hooks of Link, which renders the same element, would take a tenth of the server's time for a long list.
  if (import.meta.env.SSR) return <ServerLink href={href} {...rest} />;
  return <Link ref={ref} to={href} preventScrollReset={keepScroll} replace={replace} {...rest} />;
});

/** The element of Link with its address. In a browser, Remix requests the routes of links with `data-discover`. */
function ServerLink({ href, ...rest }: AnchorProps) {
  const { pathname } = useLocation();
  const address = href.startsWith("?") ? pathname + href : href;
  return <a {...rest} data-discover="true" href={address.replace(/\?$/, "")} />;
}
