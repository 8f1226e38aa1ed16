/** The context of loaders and actions. */
import type { VisitedItem } from "~/domain/analytics/visit";
import { loginPath, secondFactorPath } from "~/domain/auth/redirect";
import { BROWSER_SECONDS, browserCookieName, OLD_BROWSER_COOKIE } from "~/domain/auth/session";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import { DEFAULT_LANG, LANG_COOKIE } from "~/domain/shared/lang";
import type { Lang, Uuid } from "~/domain/shared/model";
import type { StoredCart } from "~/domain/store/store";
import { readCartId } from "~/domain/store/store-ids";
import urlParams from "../public/url_params.json";
import type { AppServices } from "./app-services";
import {
  cartCookie,
  cookieHeader,
  eventAccessCookieName,
  formatEventAccessCookie,
  readCartCookie,
  readCookie,
} from "./http/cookies";
import { pageKind } from "./http/csp";
import { attempt, type FailureMessage, type ServiceResult, withHttpErrors } from "./http/http-errors";
import { errorFields, log } from "./http/log";
import type { Mailbox } from "./http/mailer";
import { type PostedFiles, readPostedFiles } from "./http/read-files";
import { readForm } from "./http/read-form";
import { type PostedUpload, readUpload } from "./http/read-upload";
import { readSessionCookie, sessionCookieHeaders } from "./http/session-cookie";
import { errorMessage } from "./mail/error-message";
import { languageCookie, requestLanguage } from "./request-language";
import { clientNetwork, isLocalHostname } from "./security/client-network";
import { openText, sealText } from "./security/seal-text";
import type { Services } from "./services";
import type { CurrentSession, IssuedSession } from "./services/auth/sessions";
import type { ErrorMessage } from "./services/shared/errors";
import type { VisitorLink } from "./services/visitors/event-access";

/** Paths to which the log-in forms post, without and with scripts. A cookie path matches only one of them (RFC 6265 §5.1.4). */
const LOGIN_PATHS = ["/login", "/login.data"];

/** The session of a page's request. */
export interface PageSession {
  /** Session of the logged-in account; null if there is none, and on cached pages. It is read from D1 at most once a request, and never without a ticket. */
  current(): Promise<CurrentSession | null>;
  /**
   * Session of the logged-in account. Throws a redirect to /login, which leads back here, for an unauthenticated visitor, and a
   * redirect to the set-up of a second factor for an account that must do this first.
   * @param options.allowsMissingFactor true on the pages on which such an account sets up its second factor: the second redirect is omitted
   */
  require(options?: { readonly allowsMissingFactor: boolean }): Promise<CurrentSession>;
  /** Sends the cookie of a new session with this response. */
  start(issued: IssuedSession): void;
  /** Ends the session. This response removes its cookie and the browser's stored data. */
  end(): Promise<void>;
  /** The ticket (the session's secret) in the request's cookie, or null. The session may have ended. */
  ticket(): string | null;
  /** The sealed (encrypted) cookie by which the log-in page recognises this browser, or null. */
  knownBrowser(): string | null;
}

/** The visitor's cookies, and the counting of visit events. */
export interface PageVisitor {
  /** The event access cookie of this visitor, set when the visitor enters the publish password; or null. */
  eventAccessCookie(eventId: Uuid): string | null;
  /** Sets the event access cookie with this response. It opens the pages and files of this event only. */
  setEventAccessCookie(eventId: Uuid, value: string, maxAgeSeconds: number): void;
  /**
   * The visitor's cart of an event's store, from the cookie or from a handle (cartHandle) that the URL carries where cookies do not work. Null
   * on cached pages.
   */
  storedCart(eventId: Uuid, handle?: string | null): StoredCart | null;
  /** Stores the cart in a cookie of this response; null removes the cookie. */
  saveCart(eventId: Uuid, cart: StoredCart | null): void;
  /** Counts a visit event of this visitor (decision 030). The response does not wait for it. On a cached page it is counted for each visitor who receives the page. */
  trackEvent(link: VisitorLink, item: VisitedItem): void;
}

/** The sender of a request. */
export interface PageClient {
  /** The network for which failed attempts are counted: see clientNetwork. */
  readonly network: string;
  /** The visitor's country from Cloudflare: ISO 3166-1 alpha-2, or another code for places that are not a country; null if unknown. */
  readonly country: string | null;
  /** The visitor's IP address for calls about a cart (Shopify-Storefront-Buyer-IP); null when unknown. */
  readonly buyerIp: string | null;
}

/** Readers of the posted form. Each throws a 400 response if the body is not such a form. */
export interface PostedForm {
  read(): Promise<FormData>;
  /** A form with a file. */
  readUpload(field: string, maxBytes: number): Promise<PostedUpload>;
  /** A form with files of any size, read as it arrives. */
  readFiles(field: string): PostedFiles;
}

/** The page that responds to a request, and its headers. */
export interface PageResponse {
  readonly nonce: string;
  readonly requestId: string;
  /** Whether the page is rendered for a cache. It must then be complete and the same for every visitor. */
  readonly isForCache: boolean;
  /** See PageOptions. */
  readonly cachedHtml: string[] | undefined;
  /** True for an HTML document; false for the data that a loaded page fetches. */
  readonly isDocument: boolean;
  /** True for the response to a posted form. Loaders need it, because they always run with a GET request. */
  readonly isPosted: boolean;
  /** The HTTP status with which this request was rejected before routing, or null. */
  readonly rejectedStatus: number | null;
  /** Headers that the worker adds to the response. */
  readonly outgoing: Headers;
  /** Sends the language cookie with this response. */
  rememberLanguage(lang: Lang): void;
  /** The SDK key of a page with a showcase (an embedded Matterport space), or null. Call it only for such a page: the browser receives the key, and the CSP then allows the SDK's script. */
  showcaseKey(): string | null;
  /** True after showcaseKey was called. */
  readonly gaveShowcaseKey: boolean;
}

/** The deployment's configuration for pages. */
export interface SiteInfo {
  /** The product's origin, without a trailing slash. Links that are shared or mailed begin with it. */
  readonly origin: string;
  readonly versionText: () => Promise<string>;
  /** URL from which pages of `npm run dev` learn of a new build; otherwise null. */
  readonly devReloadUrl: string | null;
  /** The mails of a developer's machine; null in deployments, and when the request's host is not this machine. */
  readonly mailbox: Mailbox | null;
  /** The definitions in /url_params.json. */
  readonly urlParams: UrlParamDefinitions;
  /** Non-public hosts that are allowed as stores, for local runs. */
  readonly storeHosts: readonly string[];
}

/** The context of loaders and actions. */
export interface RequestContext {
  readonly services: Services;
  readonly lang: Lang;
  /** Epoch milliseconds, the same for the whole request. */
  readonly now: number;
  readonly session: PageSession;
  readonly visitor: PageVisitor;
  readonly client: PageClient;
  readonly form: PostedForm;
  readonly page: PageResponse;
  readonly site: SiteInfo;
  /** Seals texts for pages and URLs, valid for `lifeMs` milliseconds, and opens them: see security/seal-text. */
  readonly textSealer: {
    seal(purpose: string, text: string, lifeMs: number): string;
    open(purpose: string, value: string): string | null;
  };
  /** Returns the value of a service call, or its expected failure. */
  attempt<T>(work: Promise<T>): Promise<ServiceResult<T>>;
  /** Returns a service's message with its text in the language of the request. */
  translateMessage(message: ErrorMessage): FailureMessage;
  reportError(error: unknown): void;
}

/** Options for rendering a page. */
export interface PageOptions {
  /** See pageLanguage. Requests for files have none. */
  readonly lang?: Lang;
  readonly nonce: string;
  readonly isForCache: boolean;
  readonly rejectedStatus?: number | null;
  /** Receives the visit events that a cached page counts for each visitor who receives it. */
  readonly cachedVisitEvents?: VisitedItem[];
  /** Receives the HTML of a cached page. Its response then has no body, because encoding and decoding the HTML takes time. */
  readonly cachedHtml?: string[];
}

/** Dependencies of the context of a page's request. */
export interface RequestContextDeps extends Pick<AppServices, "config" | "mailbox" | "versionText"> {
  /** The product's origin. */
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly requestId: string;
  readonly services: Services;
  readonly trackEvent: (request: Request, link: VisitorLink, item: VisitedItem) => void;
}

/** Creates the context of a page's request. */
export function createRequestContext(
  deps: RequestContextDeps,
  request: Request,
  options: PageOptions,
): RequestContext {
  const { config, origin, now, requestId } = deps;
  const { lang = DEFAULT_LANG, nonce, isForCache, cachedHtml, rejectedStatus = null } = options;
  const url = new URL(request.url);
  const { isInUrl } = requestLanguage(request, url);
  // An owner's preview frame in the other language must not change the owner's language.
  const isLangInUrl = isInUrl && pageKind(url.pathname) !== "framed";
  const outgoing = new Headers();
  if (isLangInUrl) outgoing.append("set-cookie", languageCookie(lang, config));
  const network = clientNetwork(request);
  let gaveShowcaseKey = false;
  const translateMessage = (message: ErrorMessage): FailureMessage => ({
    ...message,
    text: errorMessage(lang)(message),
  });
  return {
    services: withHttpErrors(deps.services),
    lang,
    now,
    session: createPageSession(deps, request, outgoing, { network, isForCache, isLangInUrl }),
    visitor: createPageVisitor(deps, request, outgoing, options),
    client: {
      network,
      country: countryOf(request),
      buyerIp: request.headers.get("cf-connecting-ip"),
    },
    form: {
      read: () => readForm(request),
      readUpload: (field, maxBytes) => readUpload(request, field, maxBytes),
      readFiles: (field) => readPostedFiles(request, field),
    },
    page: {
      nonce,
      requestId,
      isForCache,
      cachedHtml,
      isDocument: !url.pathname.endsWith(".data"),
      isPosted: request.method === "POST",
      rejectedStatus,
      outgoing,
      rememberLanguage: (chosenLang) => outgoing.append("set-cookie", languageCookie(chosenLang, config)),
      showcaseKey() {
        gaveShowcaseKey = true;
        return config.showcaseKey;
      },
      get gaveShowcaseKey() {
        return gaveShowcaseKey;
      },
    },
    site: {
      origin,
      versionText: deps.versionText,
      devReloadUrl: config.devReloadUrl,
      mailbox: isLocalHostname(url.hostname) ? deps.mailbox : null,
      urlParams: urlParams as UrlParamDefinitions,
      storeHosts: config.storeHosts,
    },
    textSealer: {
      seal: (purpose, text, lifeMs) => sealText(config.sessionSecret, purpose, text, now + lifeMs),
      open: (purpose, value) => openText(config.sessionSecret, purpose, value, now),
    },
    attempt: (work) => attempt(work, translateMessage),
    translateMessage,
    reportError(error) {
      log("error", "unexpected", { requestId, path: url.pathname, ...errorFields(error) });
    },
  };
}

/** @param page `isLangInUrl`: the URL selects the language, and the response stores it. `isForCache`: see PageResponse; such a page has no session. */
function createPageSession(
  { config, now, services }: RequestContextDeps,
  request: Request,
  outgoing: Headers,
  page: { readonly network: string; readonly isForCache: boolean; readonly isLangInUrl: boolean },
): PageSession {
  const { network, isForCache, isLangInUrl } = page;
  const secure = !config.development;
  const sessionCookie = readSessionCookie(request, secure);
  const ticket = () => sessionCookie?.ticket ?? null;
  const secondsUntil = (instant: string) => Math.floor((Date.parse(instant) - now) / 1000);
  const setCookie = (newTicket: string, maxAge: number) => {
    for (const header of sessionCookieHeaders(request, { ticket: newTicket, maxAge, secure }))
      outgoing.append("set-cookie", header);
  };
  const dropCookie = () => setCookie("", 0);
  const authenticate = async () => {
    const session = await services.sessions.authenticate({
      ticket: ticket(),
      network,
      isOldCookie: sessionCookie?.isOldCookie,
    });
    // A session that began before the cookie got its prefix (decision 042) gets the cookie's current name.
    if (session && sessionCookie?.isOldCookie)
      setCookie(sessionCookie.ticket, secondsUntil(session.expiresAt));
    return session;
  };
  let session: Promise<CurrentSession | null> | undefined;
  const current = () => {
    session ??= isForCache ? Promise.resolve(null) : authenticate();
    return session;
  };
  return {
    current,
    async require(options) {
      const session = await current();
      if (session?.mustSetUpFactor && !options?.allowsMissingFactor)
        throw new Response(null, {
          status: 302,
          headers: { location: secondFactorPath(request.method === "GET" ? pagePathOf(request) : "") },
        });
      if (session) return session;
      if (ticket() !== null) dropCookie();
      throw new Response(null, { status: 302, headers: { location: loginPath(pagePathOf(request)) } });
    },
    start(issued) {
      const { ticket: newTicket, user, expiresAt } = issued;
      // The account's language applies if neither the URL nor a cookie selects one.
      if (!isLangInUrl && readCookie(request, LANG_COOKIE) === null)
        outgoing.append("set-cookie", languageCookie(user.language, config));
      setCookie(newTicket, secondsUntil(expiresAt));
      const browserCookie = browserCookieName(secure);
      for (const path of issued.browser ? LOGIN_PATHS : [])
        outgoing.append(
          "set-cookie",
          cookieHeader(browserCookie, issued.browser ?? "", { maxAge: BROWSER_SECONDS, secure, path }),
        );
    },
    async end() {
      await services.sessions.logOut({ ticket: ticket(), network });
      dropCookie();
      // Files in the browser's upload tray belong to the account that logs out.
      outgoing.append("clear-site-data", '"storage"');
    },
    ticket,
    // The value is sealed for its account, so an attacker who sets the cookie of the old name gains nothing.
    knownBrowser: () =>
      readCookie(request, browserCookieName(secure)) ?? readCookie(request, OLD_BROWSER_COOKIE),
  };
}

function createPageVisitor(
  { config, trackEvent }: RequestContextDeps,
  request: Request,
  outgoing: Headers,
  { isForCache, cachedVisitEvents }: PageOptions,
): PageVisitor {
  const secure = !config.development;
  return {
    eventAccessCookie: (eventId) => readCookie(request, eventAccessCookieName(eventId)),
    setEventAccessCookie(eventId, value, maxAge) {
      outgoing.append("set-cookie", formatEventAccessCookie(eventId, value, maxAge, secure));
    },
    storedCart(eventId, handle = null) {
      if (isForCache) return null;
      const cookie = readCartCookie(request, eventId);
      const id = cookie ? null : readCartId(handle);
      return id === null ? cookie : { id, quantity: null };
    },
    saveCart: (eventId, cart) => outgoing.append("set-cookie", cartCookie(eventId, cart, secure)),
    trackEvent(link, item) {
      if (isForCache) cachedVisitEvents?.push(item);
      else trackEvent(request, link, item);
    },
  };
}

/** The visitor's country as Cloudflare reports it. */
function countryOf(request: Request): string | null {
  const { country } = (request as Request<unknown, IncomingRequestCfProperties>).cf ?? {};
  return typeof country === "string" ? country : null;
}

/** The path and query of the requested page, without the parameter that the router adds to data requests. */
function pagePathOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return pathname.replace(/\.data$/, "") + query;
}
