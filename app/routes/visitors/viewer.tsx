import { parseWithZod } from "@conform-to/zod/v4";
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
} from "@remix-run/cloudflare";
import {
  type MetaFunction,
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
} from "@remix-run/react";
import type { VisitorLink } from "#functions/services/visitors/event-access";
import { createPublishPasswordSchema } from "~/domain/events/publish-password.schema";
import { textIn } from "~/domain/shared/localized";
import { languages } from "~/i18n/languages.server";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import type { MessageKey } from "~/i18n/messages";
import type { RouteHandle } from "../shared/handle";
import { createReadAt } from "../store/shared/page-with-store-result.server";
import { isShopPath, withoutShopPath } from "../store/storefront/path";
import { formatLiveProducts } from "../store/visit/live-products";
import { titleOnly } from "./page/head.server";
import { parseVisitorLink, readVisitorLink, redirectToUnavailable } from "./page/link.server";
import { OpenEvent } from "./page/open-event";
import {
  createFileUrlBuilder,
  getShareData,
  loadVisitorPage,
  pageHead,
  posterPage,
  visitReportHref,
} from "./page/page.server";

const Locked = createLatePart(withMessages(["visitors-late"], () => import("./page/locked")));
const Poster = createLatePart(() => import("./page/poster"));

/** Parameter of the redirect after a correct publish password (the password of an event, which visitors enter). If the access cookie is missing on that page, the browser rejects cookies. */
const ENTERED_PARAM = "entered";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { link, result } = await readVisitorLink({ request, params }, context);
  // The version is the same for all visitors, so a cached page may contain it.
  const version = (await context.site.versionText()) || null;
  const { pathname, searchParams } = new URL(request.url);
  // The poster's start button opens the page without this parameter.
  const isPoster = searchParams.get("poster") === "1";
  const hasEnteredPassword = searchParams.has(ENTERED_PARAM);
  if (hasEnteredPassword && result.state === "open") throw redirect(withoutEntered(request.url));
  const ownLink = { eventId: link.eventId, mode: link.mode, token: link.token };
  const fileUrl = createFileUrlBuilder(ownLink);
  if (result.state === "locked" && !isPoster) {
    const { eventName, coverId } = result.event;
    const name = eventName && textIn(eventName, context.lang);
    return {
      state: "locked" as const,
      head: titleOnly(name ?? languages[context.lang].t("visitors-late:passwordTitle")),
      name,
      cover: coverId && fileUrl(coverId),
      version,
      cookieRejected: hasEnteredPassword ? cookieRejectedMessage(context, request.url) : null,
    };
  }
  if (result.state === "locked" || isPoster) return posterPage(result, request.url, fileUrl, context.lang);
  const { event } = result;
  // A search in the shop must not filter the event's content.
  const listParams = isShopPath(pathname) ? new URLSearchParams() : searchParams;
  const contentHref = `/event/${ownLink.mode}/${ownLink.eventId}/content?${new URLSearchParams({ token: ownLink.token, lang: context.lang })}`;
  const page = loadVisitorPage(context, result, listParams, fileUrl, contentHref);
  return {
    state: "open" as const,
    ...page,
    head: pageHead(context, event, ownLink, { poster: page.scene.poster, isPublic: result.isPublic }),
    version,
    preview: link.mode === "preview",
    reportHref: link.mode === "published" ? visitReportHref(ownLink) : null,
    shop: event.hasStore
      ? {
          products: event.scene.products,
          live: isShopPath(pathname) ? null : await readLiveProducts(context, link),
        }
      : null,
    share: getShareData(context, event, ownLink),
  };
}

/** Path and query of a URL without the parameter `entered`. */
function withoutEntered(url: string): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete(ENTERED_PARAM);
  return `${pathname}?${searchParams}`;
}

/**
 * Message for a browser that did not return the access cookie, for example in a frame of another site, with a link that opens the page outside
 * of the frame.
 */
function cookieRejectedMessage({ lang }: AppLoadContext, url: string) {
  const { t } = languages[lang];
  return {
    text: t("visitors-late:passwordNotKept"),
    link: t("visitors-late:passwordOwnWindow"),
    href: withoutEntered(url),
  };
}

/** Longest time that an event's page waits for the prices of its products, in milliseconds. Visitors without scripts cannot load them later. */
const PRICES_WAIT_MS = 1_500;

/** Prices and stock of the products of the event and its tags, if they are cached or arrive in time; null otherwise. */
async function readLiveProducts(context: AppLoadContext, link: VisitorLink) {
  const { lang, services } = context;
  const { country } = context.client;
  // A page that scripts load requests the prices itself after it is displayed.
  const withinMs = context.page.isDocument ? PRICES_WAIT_MS : 0;
  const visitInput = { reader: { link }, lang, country, withinMs };
  const cards = await services.shop.cachedAttached(visitInput).catch(() => null);
  return (
    cards && { products: formatLiveProducts(languages[lang].t, lang, cards), readAt: createReadAt(context) }
  );
}

/**
 * Checks the publish password (specification §4). A correct password sets the access cookie of this event and redirects back; a wrong one is reported beside
 * the field.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { eventId, mode, token } = parseVisitorLink({ request, params });
  const { t } = languages[context.lang];
  // The message is translated here, because visitors' pages do not load the messages of forms.
  const reject = (key: MessageKey, status: number) => data({ error: t(key) }, { status });
  const submission = parseWithZod(await context.form.read(), { schema: createPublishPasswordSchema() });
  if (submission.status !== "success")
    return reject(
      (submission.error?.password?.[0] ?? "shared-owners:errors.field.invalid") as MessageKey,
      400,
    );
  const { network } = context.client;
  const { password } = submission.value;
  const result = await context.attempt(
    context.services.visitors.authenticatePublishPassword({ eventId, mode, token, password, network }),
  );
  if (!result.ok) {
    if (result.failure.kind === "not_found") throw redirectToUnavailable(eventId);
    return reject(result.failure.userMessage.key as MessageKey, result.failure.status);
  }
  if (!result.value.success) return reject("events:errors.publishPassword.incorrect", 400);
  const { accessCookie } = result.value;
  if (accessCookie) context.visitor.setEventAccessCookie(eventId, accessCookie.value, accessCookie.maxAge);
  throw redirect(`${withoutEntered(request.url)}&${ENTERED_PARAM}=1`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => page?.head ?? [];

/** Loads the data again only for another event or token in the URL, and after a form of the event's page. For example, a dialog or a page of the shop needs no new data. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ formAction, currentUrl, nextUrl }) =>
  (formAction !== undefined && !isShopPath(new URL(formAction, currentUrl).pathname)) ||
  withoutShopPath(currentUrl.pathname) !== withoutShopPath(nextUrl.pathname) ||
  currentUrl.searchParams.get("token") !== nextUrl.searchParams.get("token");

export const handle: RouteHandle = { i18n: ["visitors"], stage: true };

export default function ViewerRoute() {
  const page = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (page.state === "open") return <OpenEvent page={page} share={page.share} />;
  if (page.state === "poster") return <Poster {...page} />;
  return <Locked {...page} error={result?.error} />;
}
