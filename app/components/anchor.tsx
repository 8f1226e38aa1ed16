import { Link, useInRouterContext, useLocation } from "@remix-run/react";
import type { ComponentPropsWithoutRef, MouseEvent } from "react";
import { forwardRef } from "react";

export interface AnchorProps extends ComponentPropsWithoutRef<"a"> {
  readonly href: string;
  /** Loads a new document. */
  readonly reload?: boolean;
  /** Keeps the scroll position, for example when the link opens a dialog. */
  readonly keepScroll?: boolean;
  /** Replaces the current entry of the browser's history, for example when the link closes a dialog. */
  readonly replace?: boolean;
}

/** A link: `<Anchor href="/space-list">`. It navigates without a reload inside the app, and is a plain link elsewhere. */
export const Anchor = forwardRef<HTMLAnchorElement, AnchorProps>(function Anchor(
  { href, reload, keepScroll, replace, ...rest },
  ref,
) {
  const isRouted = useInRouterContext();
  const isInApp = /^(\/(?!\/)|\?)/.test(href);
  if (!isRouted || !isInApp || reload || rest.target || rest.download !== undefined)
    return <a ref={ref} href={href} {...rest} />;
  // On the server, Link's hooks would take a tenth of the rendering time of a long list.
  if (import.meta.env.SSR) return <ServerLink href={href} {...rest} />;
  return <Link ref={ref} to={href} preventScrollReset={keepScroll} replace={replace} {...rest} />;
});

/** Click handler that prevents a link to the open page from loading it again, because that fails without a connection. */
export function preventReload(event: MouseEvent<HTMLAnchorElement>): void {
  // With one of these keys, the browser opens a new tab or window, or downloads the page.
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (event.currentTarget.href === window.location.href) event.preventDefault();
}

/** Renders the same element as Link on the server. In a browser, Remix requests the routes of links with `data-discover`. */
function ServerLink({ href, ...rest }: AnchorProps) {
  const { pathname } = useLocation();
  const url = href.startsWith("?") ? pathname + href : href;
  return <a {...rest} data-discover="true" href={url.replace(/\?$/, "")} />;
}
