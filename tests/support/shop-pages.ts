/** The pages of an event and its shop, asked for as the router does: the loaders of all routes of an address at once, with one context. */
import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { attempt, withHttpErrors } from "#functions/http/http-errors";
import { readForm } from "#functions/http/read-form";
import { errorMessage } from "#functions/mail/error-message";
import { openText, sealText } from "#functions/security/seal-text";
import type { VisitorLink } from "#functions/services/visitors/event-access";
import type { VisitThing } from "~/domain/analytics/visit";
import type { Lang } from "~/domain/shared/model";
import type { KeptCart } from "~/domain/store/store";
import { cartIdOf } from "~/domain/store/store-ids";
import * as asVisitor from "~/routes/events/visitor-preview/visitor-preview-page";
import * as cart from "~/routes/store/cart/cart";
import * as product from "~/routes/store/product/product";
import * as collection from "~/routes/store/storefront/collection";
import * as collections from "~/routes/store/storefront/collections";
import * as list from "~/routes/store/storefront/list";
import * as live from "~/routes/store/visit/live";
import * as seen from "~/routes/store/visit/seen";
import * as viewer from "~/routes/visitors/viewer";
import { type House, type Person, SECRET } from "./house";

interface RouteModule {
  readonly loader: (asked: LoaderFunctionArgs) => Promise<unknown>;
  readonly action?: (asked: LoaderFunctionArgs) => Promise<unknown>;
}

const ROUTES: readonly (readonly [RegExp, RouteModule])[] = [
  [/\/shop$/, list],
  [/\/shop\/products\/(?<product>[^/]+)$/, product],
  [/\/shop\/collections$/, collections],
  [/\/shop\/collections\/(?<collection>[^/]+)$/, collection],
  [/\/shop\/cart$/, cart],
  [/\/shop\/live$/, live],
  [/\/shop\/seen$/, seen],
];

export interface PageRequest {
  readonly lang?: Lang;
  /** The cart that a cookie of the browser names. */
  readonly kept?: KeptCart | null;
  /** The page is made to be kept for all. */
  readonly buffered?: boolean;
  /** Scripts ask for the page's data alone. */
  readonly isData?: boolean;
  /** Who is logged in. */
  readonly as?: Person;
  /** Posted with it. */
  readonly form?: Readonly<Record<string, string>>;
  /** Happens once the form's action has begun. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** What a route gave: its data, with the status that it asked for, or the answer that it threw. */
export interface Given {
  readonly status: number;
  readonly location: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what any of the routes gives
  readonly data: any;
}

const givenOf = async (work: Promise<unknown>): Promise<Given> => {
  const found = await work.catch((thrown: unknown) => {
    if (thrown instanceof Error) throw thrown;
    return thrown;
  });
  if (found instanceof Response)
    return { status: found.status, location: found.headers.get("location"), data: found };
  const { data, init } = found as { data?: unknown; init?: { status?: number } | null };
  const isWrapped = typeof found === "object" && found !== null && "init" in found;
  return { status: (isWrapped && init?.status) || 200, location: null, data: isWrapped ? data : found };
};

/** A browser's request for a page, and what came of it. */
export async function openPage(house: House, path: string, request: PageRequest = {}) {
  const { lang = "en", kept = null, buffered = false, isData = false, as, form, meanwhile } = request;
  const url = new URL(path, "https://hiroba.test");
  const cookies: (KeptCart | null)[] = [];
  const errors: unknown[] = [];
  const counted: VisitThing[] = [];
  const context = {
    services: withHttpErrors(house.services),
    attempt: <T>(work: Promise<T>) =>
      attempt(work, (words) => ({ ...words, text: errorMessage(lang)(words) })),
    lang,
    now: house.time.now,
    session: {
      require: async () => {
        if (!as) throw new Response(null, { status: 302, headers: { location: "/login" } });
        return as;
      },
    },
    visitor: {
      eventAccessCookie: () => null,
      keptCart(_event: string, handle: string | null = null) {
        if (buffered) return null;
        const id = kept ? null : cartIdOf(handle);
        return id === null ? kept : { id, quantity: null };
      },
      keepCart: (_event: string, cart: KeptCart | null) => cookies.push(cart),
      countAct: (_link: VisitorLink, thing: VisitThing) => counted.push(thing),
    },
    client: { ip: "192.0.2.1", country: null, buyerIp: "192.0.2.1" },
    form: {
      read: async () => {
        await meanwhile?.();
        // As the product reads it: fields with names that no form has are left out.
        return readForm(new Request(url, { method: "POST", body: new URLSearchParams(form) }));
      },
    },
    page: {
      buffered,
      isDocument: !isData,
      requestId: "r",
      posted: form !== undefined,
      showcaseKey: () => null,
    },
    site: { origin: url.origin, versionText: async () => "" },
    textSealer: {
      lock: (about: string, text: string, lifeMs: number) =>
        sealText(SECRET, about, text, house.time.now + lifeMs),
      unlock: (about: string, value: string) => openText(SECRET, about, value, house.time.now),
    },
    reportError: (error: unknown) => errors.push(error),
  } as unknown as AppLoadContext;
  const [, uuid] = /^\/event\/(?:published\/|preview\/)?([^/]+)/.exec(url.pathname) ?? [];
  const page = url.pathname.includes("/as-visitor/") ? asVisitor : viewer;
  const found = ROUTES.find(([pattern]) => pattern.test(url.pathname));
  const params = { uuid, ...(found?.[0].exec(url.pathname)?.groups ?? {}) };
  const ask = (route: RouteModule["loader"], method: string) =>
    givenOf(route({ request: new Request(url, { method }), params, context } as LoaderFunctionArgs));
  const route = found?.[1];
  const posted = form && route?.action ? await ask(route.action, "POST") : null;
  // A browser goes where it is led.
  if (posted?.location) return { event: null, shop: null, posted, cookies, errors, counted };
  const [event, shop] = await Promise.all([ask(page.loader, "GET"), route ? ask(route.loader, "GET") : null]);
  return { event, shop, posted, cookies, errors, counted };
}

/** Waits for everything that a page gives later, as its answer does. */
export async function whole(given: Given | null): Promise<unknown> {
  if (given?.data instanceof Response) return given.data.text();
  const answer = await given?.data?.answer;
  await answer?.value?.related;
  return answer;
}
