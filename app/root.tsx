import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/cloudflare";
import {
  Links,
  Meta,
  type MetaFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { SkipLinks } from "~/components/visually-hidden";
import { useTranslation } from "~/i18n/translation";
import { FailurePage } from "./routes/shared/failure-page";
import type { RouteHandle } from "./routes/shared/handle";
import { useRendering } from "./routes/shared/rendering";
import { useResumeNavigation } from "./routes/shared/resume-navigation";
import styles from "./styles.css?url";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

/** Title of a page without its own title: one that was not found or that failed. */
export const meta: MetaFunction = () => [{ title: "Hiroba" }];

/** The session is not read, because a visitor's page is the same for every visitor and must cost only one D1 round trip. */
export function loader({ context }: LoaderFunctionArgs) {
  // A request that was rejected before routing shows the failure page with its status.
  if (context.page.rejectedStatus !== null) throw new Response(null, { status: context.page.rejectedStatus });
  return { devReloadUrl: context.site.devReloadUrl };
}

export const shouldRevalidate = () => false;

/** The document around a route's page. A poster, the image that stands for the 3D viewer in another site, runs no scripts. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const { nonce, requestId } = useRendering();
  const { language } = useTranslation();
  const root = useRouteLoaderData<typeof loader>("root");
  const isPoster = useMatches().some(
    ({ data }) => (data as { state?: unknown } | undefined)?.state === "poster",
  );
  return (
    <html lang={language} data-request={requestId || undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <Meta />
        <Links />
      </head>
      <body>
        {/* Headless UI keeps a popover open on a press in another child of the body, so one child contains the whole page. */}
        <div className="contents">
          <SkipLinks />
          {children}
        </div>
        {!isPoster && (
          <>
            <MissingScriptNotice />
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
        {root?.devReloadUrl && <DevReload url={root.devReloadUrl} />}
      </body>
    </html>
  );
}

/** Reloads the page after each build of `npm run dev`. Rendered in development only. */
function DevReload({ url }: { readonly url: string }) {
  useEffect(() => {
    const source = new EventSource(url);
    source.onmessage = () => window.location.reload();
    return () => source.close();
  }, [url]);
  return null;
}

export const handle: RouteHandle = { i18n: ["shared"] };

export default function App() {
  useResumeNavigation();
  return (
    <>
      <Outlet />
      <FocusPageHeading />
    </>
  );
}

/**
 * Moves the focus to the page's heading after a client-side navigation to another path, or to another page of a list with page numbers (`page`), so that
 * screen readers announce it. Focus in a dialog, or on an element with the class `shows-focus`, stays.
 */
function FocusPageHeading() {
  const { pathname, search } = useLocation();
  const pageKey = `${pathname} ${new URLSearchParams(search).get("page") ?? ""}`;
  const lastPageKey = useRef(pageKey);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (lastPageKey.current === pageKey) return;
    lastPageKey.current = pageKey;
    setTitle(document.title);
    const main = document.getElementById("main");
    const focusedElement = document.activeElement;
    if (!main || focusedElement?.closest("dialog") || focusedElement?.matches(".shows-focus")) return;
    const heading = main.querySelector<HTMLElement>("h1");
    if (heading) heading.tabIndex = -1;
    (heading ?? main).focus({ preventScroll: true });
  }, [pageKey]);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}

const MISSING_SCRIPT_ID = "missing-part";

/**
 * Shows the notice when a script cannot be loaded. It works without React, because one of the document's own scripts can be missing: a module script
 * whose imports fail sends `error`, and the import of the entry script rejects. Other imports go through Vite's loader, which sends
 * `vite:preloadError`.
 */
const SHOW_MISSING_SCRIPT = `{
const show = () => { const notice = document.getElementById("${MISSING_SCRIPT_ID}"); notice.role = "alert"; notice.hidden = false };
addEventListener("vite:preloadError", show);
addEventListener("error", ({ target }) => { if (target instanceof HTMLScriptElement) show() }, true);
addEventListener("unhandledrejection", ({ reason }) => { if (/module/i.test(reason?.message)) show() });
}`;

/** Notice that a script of this page could not be loaded, for example because a newer build was deployed, with a link that loads the page again. */
function MissingScriptNotice() {
  const { t } = useTranslation();
  const { nonce } = useRendering();
  return (
    <>
      <div
        id={MISSING_SCRIPT_ID}
        hidden
        suppressHydrationWarning
        className="fixed inset-x-4 top-4 z-50 mx-auto flex w-fit flex-wrap gap-x-4 gap-y-1 rounded-lg bg-ink px-4 py-3 text-sm text-paper shadow-raised"
      >
        {t("shared:missingPart")}
        {/* biome-ignore lint/a11y/useValidAnchor: an empty URL is this page's URL with its query, and the link works when React did not start */}
        <a href="" className="font-semibold underline">
          {t("shared:loadAgain")}
        </a>
      </div>
      <script
        nonce={nonce}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this module
        dangerouslySetInnerHTML={{ __html: SHOW_MISSING_SCRIPT }}
      />
    </>
  );
}

export function ErrorBoundary() {
  return <FailurePage />;
}
