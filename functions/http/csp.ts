import { isLinkPath } from "~/domain/events/links";
import { PLAYER_ORIGINS } from "~/domain/library/web-media";
import { SHOWCASE_ORIGINS, SHOWCASE_SCRIPT_ORIGINS } from "~/domain/spaces/showcase-sites";
import { CSP_REPORT_GROUP, CSP_REPORT_PATH } from "./csp-report";
import { isSecureRequest } from "./page-request";

/**
 * viewer: visitors' pages. framed: what our own pages show in a frame. link: pages whose address holds the token of a mail's link.
 * app: everything else. Between those that are not the viewer the browser moves without loading a document.
 */
export type PageKind = "app" | "link" | "framed" | "viewer";

const ANCESTORS: Readonly<Record<PageKind, string>> = {
  app: "'none'",
  link: "'none'",
  framed: "'self'",
  viewer: "*",
};

/**
 * The Content-Security-Policy of a page, always enforced.
 * Every page may show a space and its media: decode meshes (WebAssembly), load textures from blobs, frame a showcase and the
 * players of web media, those of our table and no others. The policy is the
 * document's, and the router leads from the log-in to the editor without loading another one.
 * @param kind visitors' pages may be framed by other sites, an owner's preview of them by our own; all others may not be framed at all.
 * @param nonce the base64 nonce of this response; null for pages without scripts.
 * @param devReloadUrl where pages of `npm run dev` listen for the next build
 * @param connectsShowcase whether the script of a showcase's SDK may run: see mayConnectShowcase
 * @param mediaOrigin where uploaded files are served; null for the page's own host
 */
export function contentSecurityPolicy(
  kind: PageKind,
  nonce: string | null,
  devReloadUrl: string | null = null,
  connectsShowcase = false,
  mediaOrigin: string | null = null,
): string {
  const media = mediaOrigin === null ? [] : [mediaOrigin];
  const scripts = [
    "'self'",
    ...(nonce ? [`'nonce-${nonce}'`] : []),
    "'wasm-unsafe-eval'",
    ...(connectsShowcase ? SHOWCASE_SCRIPT_ORIGINS : []),
  ];
  const policy: Record<string, readonly string[]> = {
    "default-src": ["'self'"],
    "script-src": scripts,
    "script-src-attr": ["'none'"],
    "style-src": ["'self'"],
    // React renders style={…} as attributes; they cannot load or run anything.
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "data:", "blob:", ...media],
    "media-src": ["'self'", "blob:", ...media],
    // Whether a showcase can be reached at all is asked before its frame is shown.
    "connect-src": [
      ...["'self'", "blob:", "data:", ...media, ...SHOWCASE_ORIGINS],
      ...(devReloadUrl ? [devReloadUrl] : []),
    ],
    "worker-src": ["'self'", "blob:"],
    "frame-src": [...new Set(["'self'", ...SHOWCASE_ORIGINS, ...PLAYER_ORIGINS])],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": [ANCESTORS[kind]],
    // Browsers that know report-to ignore report-uri.
    "report-uri": [CSP_REPORT_PATH],
    "report-to": [CSP_REPORT_GROUP],
  };
  return Object.entries(policy)
    .map(([directive, values]) => `${directive} ${values.join(" ")}`)
    .join("; ");
}

/**
 * The policy of the reference of the API, which is none of the pages: its script and the viewer's, and nothing from anywhere else.
 * @param nonce the base64 nonce of this response
 */
export const referencePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // The viewer writes style="…", which can load and run nothing, and has its signs as data.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * Whether a page may run the script of a showcase's SDK: with a key, visitors' pages of which a showcase was shown, and the pages
 * between which the browser moves without loading a document, as the policy of the first holds for the editor too (decision 022).
 * @param isShown whether the page has asked for the key
 */
export function mayConnectShowcase(kind: PageKind, hasKey: boolean, isShown: boolean): boolean {
  return hasKey && (isShown || kind === "app" || kind === "link");
}

/** The kind of the page at a path. */
export function pageKind(pathname: string): PageKind {
  // Also where a closed link in a frame leads.
  if (/^\/(event\/(published|preview)|space\/(published|3d|preview)|error\/event)\//.test(pathname))
    return "viewer";
  if (/^\/event\/[^/]+\/as-visitor\/page(\/shop(\/.*)?)?(\.data)?$/.test(pathname)) return "framed";
  return isLinkPath(pathname) ? "link" : "app";
}

/** What neither our pages nor the players in their frames have a use for. What frames may use of the rest says each frame's `allow`. */
const UNUSED = [
  ...["camera", "microphone", "geolocation", "display-capture", "payment"],
  ...["usb", "serial", "hid", "midi"],
];

/** Two years in seconds, which the preload lists of browsers ask for. public/_headers says the same for static files. */
const HSTS = "max-age=63072000";

/**
 * The value of Strict-Transport-Security for an answer; null where it must not be sent: in development, over plain http (RFC 6797
 * §7.2), and from this machine itself, which has no TLS.
 */
export function strictTransport(
  url: URL,
  env: { readonly APP_ENV?: string; readonly HSTS_INCLUDE_SUBDOMAINS?: string },
): string | null {
  if (env.APP_ENV === "development" || !isSecureRequest(url)) return null;
  return env.HSTS_INCLUDE_SUBDOMAINS === "true" ? `${HSTS}; includeSubDomains` : HSTS;
}

/** @param hsts see strictTransport */
const keptTo = (hsts: string | null) => ({
  ...(hsts === null ? {} : { "strict-transport-security": hsts }),
  "x-content-type-options": "nosniff",
});

/**
 * Headers that every page carries. A viewer may be framed, so it says nothing in X-Frame-Options.
 * @param hsts see strictTransport
 */
export function securityHeaders(kind: PageKind, hsts: string | null): Record<string, string> {
  return {
    ...keptTo(hsts),
    "reporting-endpoints": `${CSP_REPORT_GROUP}="${CSP_REPORT_PATH}"`,
    // same-origin and not no-referrer, under which browsers send forms with an Origin of null.
    "referrer-policy": kind === "link" ? "same-origin" : "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": UNUSED.map((feature) => `${feature}=()`).join(", "),
    ...(kind === "viewer" ? {} : { "x-frame-options": kind === "framed" ? "SAMEORIGIN" : "DENY" }),
  };
}

/**
 * An answer that is no page (of the API, a file, a picture) with the headers that every such answer carries: opened as a page it runs and loads
 * nothing, and no page shows it in a frame. What it says itself of one of them holds.
 * @param hsts see strictTransport
 */
export function withPlainHeaders(answer: Response, hsts: string | null): Response {
  // One that was kept lets nobody change its headers.
  const carrying = new Response(answer.body, answer);
  const every = {
    ...keptTo(hsts),
    "referrer-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
  for (const [name, value] of Object.entries(every))
    if (!carrying.headers.has(name)) carrying.headers.set(name, value);
  return carrying;
}
