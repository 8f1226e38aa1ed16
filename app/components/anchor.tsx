import { Link, useInRouterContext, useLocation } from "@remix-run/react";
import type { ComponentPropsWithoutRef, MouseEvent } from "react";
import { forwardRef } from "react";

export interface AnchorProps extends ComponentPropsWithoutRef<"a"> {
  readonly href: string;
  /** Loads a new document, for links that change the language or the session. */
  readonly reload?: boolean;
  /** Keeps the scroll position, for dialogs and for sorting. */
  readonly keepScroll?: boolean;
  /** Replaces the current entry of the browser's history, for links back. */
  readonly replace?: boolean;
}

/** A link: `<Anchor href="/space-list">`. It navigates without a reload inside the app, and is a plain link elsewhere. */
export const Anchor = forwardRef<HTMLAnchorElement, AnchorProps>(function Anchor(
  { href, reload, keepScroll, replace, ...rest },
  ref,
) {
  const routed = useInRouterContext();
  const inApp = /^(\/(?!\/)|\?)/.test(href);
  if (!routed || !inApp || reload || rest.target || rest.download !== undefined)
    return <a ref={ref} href={href} {...rest} />;
  // On the server, Link's hooks would take a tenth of the rendering time of a long list.
  if (import.meta.env.SSR) return <ServerLink href={href} {...rest} />;
  return <Link ref={ref} to={href} preventScrollReset={keepScroll} replace={replace} {...rest} />;
});

/** Click handler of links that must not load the open page again, which fails without a connection. */
export function ignoreOpenPage(event: MouseEvent<HTMLAnchorElement>): void {
  // With one of these keys, the browser opens a new tab or window.
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (event.currentTarget.href === window.location.href) event.preventDefault();
}

/** Renders the same element as Link on the server. In a browser, Remix requests the routes of links with `data-discover`. */
function ServerLink({ href, ...rest }: AnchorProps) {
  const { pathname } = useLocation();
  const url = href.startsWith("?") ? pathname + href : href;
  return <a {...rest} data-discover="true" href={url.replace(/\?$/, "")} />;
}
