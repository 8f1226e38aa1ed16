import { isLinkPath } from "~/domain/auth/mail-links";
import { PLAYER_ORIGINS } from "~/domain/library/web-media";
import { SHOWCASE_ORIGINS, SHOWCASE_SCRIPT_ORIGINS } from "~/domain/spaces/showcase-sites";
import { CSP_REPORT_GROUP, CSP_REPORT_PATH } from "./csp-report";
import { isSecureRequest } from "./pages/page-request";

/**
 * Kinds of pages with different policies. viewer: visitors' pages. framed: pages that the product shows in its own frames. link: pages whose URL
 * contains the token of a mail link. app: all others. The browser navigates between app and link without loading a document.
 */
export type PageKind = "app" | "link" | "framed" | "viewer";

const ANCESTORS: Readonly<Record<PageKind, string>> = {
  app: "'none'",
  link: "'none'",
  framed: "'self'",
  viewer: "*",
};

/**
 * The Content-Security-Policy of a page, always enforced. Every page may show a space and its media: decode meshes (WebAssembly), load textures from
 * blobs, and frame a showcase (an embedded Matterport space) and the players of known web media. A policy belongs to the loaded document, and the router navigates from the log-in
 * page to the editor without loading another one.
 * @param kind visitors' pages may be framed by other sites, an owner's preview of them by our own; all others must not be framed
 * @param nonce the base64 nonce of this response; null for pages without scripts
 * @param devReloadUrl URL from which pages of `npm run dev` learn of the next build
 * @param connectsShowcase whether the script of a showcase's SDK may run: see mayConnectShowcase
 * @param mediaOrigin origin of uploaded files; null for the page's own host
 */
export function contentSecurityPolicy(
  kind: PageKind,
  nonce: string | null,
  devReloadUrl: string | null = null,
  connectsShowcase = false,
  mediaOrigin: string | null = null,
): string {
  const mediaSources = mediaOrigin === null ? [] : [mediaOrigin];
  const scriptSources = [
    "'self'",
    ...(nonce ? [`'nonce-${nonce}'`] : []),
    "'wasm-unsafe-eval'",
    ...(connectsShowcase ? SHOWCASE_SCRIPT_ORIGINS : []),
  ];
  const policy: Record<string, readonly string[]> = {
    "default-src": ["'self'"],
    "script-src": scriptSources,
    "script-src-attr": ["'none'"],
    "style-src": ["'self'"],
    // React renders style={…} as attributes. They run nothing, and load only what img-src allows.
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "data:", "blob:", ...mediaSources],
    "media-src": ["'self'", "blob:", ...mediaSources],
    // The page checks whether the showcase's host is reachable before it shows the frame.
    "connect-src": [
      ...["'self'", "blob:", "data:", ...mediaSources, ...SHOWCASE_ORIGINS],
      ...(devReloadUrl ? [devReloadUrl] : []),
    ],
    "worker-src": ["'self'", "blob:"],
    "frame-src": [...new Set(["'self'", ...SHOWCASE_ORIGINS, ...PLAYER_ORIGINS])],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": [ANCESTORS[kind]],
    // Browsers that support report-to ignore report-uri.
    "report-uri": [CSP_REPORT_PATH],
    "report-to": [CSP_REPORT_GROUP],
  };
  return Object.entries(policy)
    .map(([directive, values]) => `${directive} ${values.join(" ")}`)
    .join("; ");
}

/**
 * The policy of the API reference page: it allows only its own script, and the script and style of Swagger UI, which sends trial calls.
 * @param nonce the base64 nonce of this response
 */
export const referencePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Swagger UI writes style attributes, which run nothing, and embeds its icons as data URLs.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    // The search is a form that leads to the same page.
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * True if a page may run the script of a showcase's SDK: the product has a key, and the page either requested it or is of the kind app or link. The
 * browser navigates between those kinds without loading a document, so the first document's policy also holds for the editor (decision 022).
 * @param hasKey whether the product has a key
 * @param hasRequestedKey whether the page requested the key while it was rendered, because it contains a showcase
 */
export function mayConnectShowcase(kind: PageKind, hasKey: boolean, hasRequestedKey: boolean): boolean {
  return hasKey && (hasRequestedKey || kind === "app" || kind === "link");
}

/** The kind of the page at a path. */
export function pageKind(pathname: string): PageKind {
  // A closed link redirects to /error/event/, also in another site's frame.
  if (/^\/(event\/(published|preview)|space\/(published|3d|preview)|error\/event)\//.test(pathname))
    return "viewer";
  if (/^\/event\/[^/]+\/as-visitor\/page(\/shop(\/.*)?)?(\.data)?$/.test(pathname)) return "framed";
  return isLinkPath(pathname) ? "link" : "app";
}

/** Features that neither the pages nor the players in their frames use. Each frame's `allow` attribute restricts the rest. */
const UNUSED_FEATURES = [
  "camera",
  "microphone",
  "geolocation",
  "display-capture",
  "payment",
  "usb",
  "serial",
  "hid",
  "midi",
];

/** Two years in seconds. The browsers' preload list requires at least one. public/_headers has the same value for static files. */
const HSTS = "max-age=63072000";

/**
 * The value of Strict-Transport-Security for a response. Null if it must not be sent: in development, over plain http (RFC 6797 §7.2), and for a host
 * name of the local machine, which has no TLS.
 */
export function strictTransport(
  url: URL,
  env: { readonly APP_ENV?: string; readonly HSTS_INCLUDE_SUBDOMAINS?: string },
): string | null {
  if (env.APP_ENV === "development" || !isSecureRequest(url)) return null;
  return env.HSTS_INCLUDE_SUBDOMAINS === "true" ? `${HSTS}; includeSubDomains` : HSTS;
}

/** @param hsts see strictTransport */
const transportHeader = (hsts: string | null) => ({
  ...(hsts === null ? {} : { "strict-transport-security": hsts }),
  "x-content-type-options": "nosniff",
});

/**
 * Headers of every page. A viewer may be framed, so it has no X-Frame-Options.
 * @param hsts see strictTransport
 */
export function securityHeaders(kind: PageKind, hsts: string | null): Record<string, string> {
  return {
    ...transportHeader(hsts),
    "reporting-endpoints": `${CSP_REPORT_GROUP}="${CSP_REPORT_PATH}"`,
    // The value is same-origin, because under no-referrer browsers send forms with an Origin of null.
    "referrer-policy": kind === "link" ? "same-origin" : "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", "),
    ...(kind === "viewer" ? {} : { "x-frame-options": kind === "framed" ? "SAMEORIGIN" : "DENY" }),
  };
}

/**
 * Adds the security headers to a response that is not a page (API, file, image). If it is opened as a document, it runs and loads nothing,
 * and no page may frame it. Headers that the response already has take precedence.
 * @param hsts see strictTransport
 */
export function withPlainHeaders(response: Response, hsts: string | null): Response {
  // A cached response has immutable headers, so this copies the response.
  const copy = new Response(response.body, response);
  const defaultHeaders = {
    ...transportHeader(hsts),
    "referrer-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
  for (const [name, value] of Object.entries(defaultHeaders))
    if (!copy.headers.has(name)) copy.headers.set(name, value);
  return copy;
}
