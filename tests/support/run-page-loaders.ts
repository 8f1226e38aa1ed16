/**
 * Runs the loaders of an event's page and its shop as the router does: those of all matching routes at once, with one context, and
 * before them the action of a posted form.
 */
import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { attempt, withHttpErrors } from "#functions/http/http-errors";
import { readForm } from "#functions/http/read-form";
import { errorMessage } from "#functions/mail/error-message";
import { openText, sealText } from "#functions/security/seal-text";
import type { VisitorLink } from "#functions/services/visitors/event-access";
import type { VisitedItem } from "~/domain/analytics/visit";
import type { Lang } from "~/domain/shared/model";
import type { StoredCart } from "~/domain/store/store";
import { readCartId } from "~/domain/store/store-ids";
import * as visitorPreview from "~/routes/events/visitor-preview/visitor-preview-page";
import * as cart from "~/routes/store/cart/cart";
import * as product from "~/routes/store/product/product";
import * as collection from "~/routes/store/storefront/collection";
import * as collections from "~/routes/store/storefront/collections";
import * as list from "~/routes/store/storefront/list";
import * as correctCartCount from "~/routes/store/visit/correct-cart-count";
import * as live from "~/routes/store/visit/live";
import * as viewer from "~/routes/visitors/viewer";
import { SECRET, type TestApp, type TestUser } from "./app/test-app";

interface RouteModule {
  readonly loader: (args: LoaderFunctionArgs) => Promise<unknown>;
  readonly action?: (args: LoaderFunctionArgs) => Promise<unknown>;
}

const ROUTES: readonly (readonly [RegExp, RouteModule])[] = [
  [/\/shop$/, list],
  [/\/shop\/products\/(?<product>[^/]+)$/, product],
  [/\/shop\/collections$/, collections],
  [/\/shop\/collections\/(?<collection>[^/]+)$/, collection],
  [/\/shop\/cart$/, cart],
  [/\/shop\/live$/, live],
  [/\/shop\/seen$/, correctCartCount],
];

export interface BrowserPageRequest {
  readonly lang?: Lang;
  /** The cart in the browser's cookie. */
  readonly storedCart?: StoredCart | null;
  /** Renders the page for the cache. */
  readonly isBuffered?: boolean;
  /** Requests only the page's data, as scripts do. */
  readonly isData?: boolean;
  /** The logged-in user. */
  readonly person?: TestUser;
  /** Form fields that are posted. */
  readonly form?: Readonly<Record<string, string>>;
  /** Runs after the form's action has started. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** Result of a route: its data with its status, or its response. */
export interface PageResult {
  readonly status: number;
  readonly location: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the route
  readonly data: any;
}

const readResult = async (work: Promise<unknown>): Promise<PageResult> => {
  const loaded = await work.catch((thrown: unknown) => {
    if (thrown instanceof Error) throw thrown;
    return thrown;
  });
  if (loaded instanceof Response)
    return { status: loaded.status, location: loaded.headers.get("location"), data: loaded };
  const { data, init } = loaded as { data?: unknown; init?: { status?: number } | null };
  const isWrapped = typeof loaded === "object" && loaded !== null && "init" in loaded;
  return { status: (isWrapped && init?.status) || 200, location: null, data: isWrapped ? data : loaded };
};

/** A browser's request for a page, and its results. */
export async function runPageLoaders(testApp: TestApp, path: string, request: BrowserPageRequest = {}) {
  const {
    lang = "en",
    storedCart = null,
    isBuffered = false,
    isData = false,
    person,
    form,
    meanwhile,
  } = request;
  const url = new URL(path, "https://hiroba.test");
  const cookies: (StoredCart | null)[] = [];
  const errors: unknown[] = [];
  const counted: VisitedItem[] = [];
  const context = {
    services: withHttpErrors(testApp.services),
    attempt: <T>(work: Promise<T>) =>
      attempt(work, (message) => ({ ...message, text: errorMessage(lang)(message) })),
    lang,
    now: testApp.time.now,
    session: {
      require: async () => {
        if (!person) throw new Response(null, { status: 302, headers: { location: "/login" } });
        return person;
      },
    },
    visitor: {
      eventAccessCookie: () => null,
      storedCart(_event: string, handle: string | null = null) {
        if (isBuffered) return null;
        const id = storedCart ? null : readCartId(handle);
        return id === null ? storedCart : { id, quantity: null };
      },
      saveCart: (_event: string, cart: StoredCart | null) => cookies.push(cart),
      trackEvent: (_link: VisitorLink, item: VisitedItem) => counted.push(item),
    },
    client: { network: "192.0.2.1", country: null, buyerIp: "192.0.2.1" },
    form: {
      read: async () => {
        await meanwhile?.();
        // The product's own reader, which omits fields with names that no form has.
        return readForm(new Request(url, { method: "POST", body: new URLSearchParams(form) }));
      },
    },
    page: {
      isForCache: isBuffered,
      isDocument: !isData,
      requestId: "r",
      isPosted: form !== undefined,
      showcaseKey: () => null,
    },
    site: { origin: url.origin, versionText: async () => "" },
    textSealer: {
      seal: (purpose: string, text: string, lifetimeMs: number) =>
        sealText(SECRET, purpose, text, testApp.time.now + lifetimeMs),
      open: (purpose: string, value: string) => openText(SECRET, purpose, value, testApp.time.now),
    },
    reportError: (error: unknown) => errors.push(error),
  } as unknown as AppLoadContext;
  const [, uuid] = /^\/event\/(?:published\/|preview\/)?([^/]+)/.exec(url.pathname) ?? [];
  const eventPage = url.pathname.includes("/as-visitor/") ? visitorPreview : viewer;
  const matchedRoute = ROUTES.find(([pattern]) => pattern.test(url.pathname));
  const params = { uuid, ...(matchedRoute?.[0].exec(url.pathname)?.groups ?? {}) };
  const runRoute = (route: RouteModule["loader"], method: string) =>
    readResult(route({ request: new Request(url, { method }), params, context } as LoaderFunctionArgs));
  const route = matchedRoute?.[1];
  const posted = form && route?.action ? await runRoute(route.action, "POST") : null;
  // A browser would follow the redirect, so the loaders of this page do not run.
  if (posted?.location) return { event: null, shop: null, posted, cookies, errors, counted };
  const [event, shop] = await Promise.all([
    runRoute(eventPage.loader, "GET"),
    route ? runRoute(route.loader, "GET") : null,
  ]);
  return { event, shop, posted, cookies, errors, counted };
}

/** Waits for the deferred result of a page and its related collections. Returns the result, or the text of a response. */
export async function resolveDeferredData(results: PageResult | null): Promise<unknown> {
  if (results?.data instanceof Response) return results.data.text();
  const result = await results?.data?.result;
  await result?.value?.related;
  return result;
}
