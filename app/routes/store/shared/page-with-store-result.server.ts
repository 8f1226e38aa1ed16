/** Data of pages that wait for a store: the store's result, or the message of its failure (decisions 034, 048 and 049). */
import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { StoreOperation } from "~/domain/store/store";
import { FAILURE_MESSAGES } from "~/domain/store/store-failure";
import { failureMessage } from "~/forms/shared/user-message";
import type { MessageKey, Translate } from "~/i18n/messages";
import { withTimeLimit } from "../../shared/with-time-limit";
import type { EnteredShop } from "../storefront/shop.server";
import type { ReadAt, StoreResult, StreamedResult } from "./store-result";

/**
 * Time that a page waits for the store before its first bytes are sent, in milliseconds. It suffices for a cached result, so the page then contains the
 * result and has the result's status.
 */
const FIRST_BYTE_WAIT_MS = 250;
/** Longest wait for the store, in milliseconds. It is shorter than the time after which a streamed page is aborted (entry.server). */
export const STORE_WAIT_MS = 9_000;

/**
 * Longest wait of a request for a document, in milliseconds; the router's requests for data may wait longer. Visitors without scripts get the prices, or a
 * link that loads them, within two seconds.
 */
const DOCUMENT_WAIT_MS = 1_700;

/** Time for which the isolate serves a cached page of the shop (worker.ts), in milliseconds. */
const PAGE_CACHE_MS = 60_000;

/** Longest wait for the store on a page of products, of one product or of collections, in milliseconds. */
export const storeWaitMs = ({
  isDocument,
  isCacheable,
}: Pick<EnteredShop, "isDocument" | "isCacheable">): number =>
  isDocument && !isCacheable ? DOCUMENT_WAIT_MS : STORE_WAIT_MS;

/** Awaits an operation and returns its result, or the message of its failure. The service chooses the message; an unexpected error is logged. */
export async function toStoreResult<T>(
  context: AppLoadContext,
  t: Translate,
  operationResult: Promise<T>,
  operation: StoreOperation,
): Promise<StoreResult<T>> {
  try {
    const result = await context.attempt(operationResult);
    if (result.ok) return { ok: true, value: result.value, readAt: createReadAt(context) };
    const { status, code } = result.failure;
    const text = failureMessage(result.failure);
    const message = t(text.key as MessageKey, text.values);
    return { ok: false, status, code, message, retry: status >= 500 };
  } catch (error) {
    context.reportError(error);
    return unavailableResult(t, operation);
  }
}

/** Time at which the page's data was read, and for how long the page may be cached. */
export const createReadAt = ({ now, page }: AppLoadContext): ReadAt => ({
  at: now,
  cachedForMs: page.isForCache ? PAGE_CACHE_MS : 0,
});

/** Result after an unexpected error, and for a store that did not respond in time. */
const unavailableResult = (t: Translate, operation: StoreOperation): StoreResult<never> => ({
  ok: false,
  status: 503,
  code: "unavailable",
  message: t(FAILURE_MESSAGES[operation] as MessageKey),
  retry: true,
});

/**
 * Data of a page of the shop. If the page may be cached, or the store's result arrives within FIRST_BYTE_WAIT_MS, the page contains the result and has
 * its status; otherwise the page contains a promise of it and does not wait.
 * @param commonProps data that does not depend on the store
 * @throws a redirect if the result belongs to another URL
 */
export async function pageWithStoreResult<T, Rest extends { readonly title: string }>(
  { t, isCacheable, response, operation }: Pick<EnteredShop, "t" | "isCacheable" | "response" | "operation">,
  result: Promise<StoreResult<T>>,
  commonProps: Rest,
  options: StoreResultOptions<T> = {},
) {
  const {
    waitMs = STORE_WAIT_MS,
    titleOf = () => commonProps.title,
    isComplete = () => true,
    redirectTo,
  } = options;
  const lateResult = waitMs < STORE_WAIT_MS ? slowResult(t) : unavailableResult(t, operation);
  const limitedResult: Promise<StoreResult<T>> = withTimeLimit(result, waitMs, lateResult);
  const readyResult = isCacheable
    ? await limitedResult
    : await withTimeLimit(limitedResult, FIRST_BYTE_WAIT_MS, null);
  // A response that has begun cannot set cookies any more.
  response.hasBegun = readyResult === null;
  const url = readyResult?.ok && redirectTo ? redirectTo(readyResult.value) : null;
  if (url) throw redirect(url);
  const title = readyResult?.ok ? titleOf(readyResult.value) : commonProps.title;
  const page: Rest & { readonly result: StreamedResult<T> } = {
    ...commonProps,
    title,
    result: readyResult ?? limitedResult,
  };
  if (readyResult?.ok)
    return data(page, { status: isCacheable && !isComplete(readyResult.value) ? 503 : 200 });
  return data(page, { status: readyResult ? readyResult.status : 200 });
}

/** Options of a page that waits for the store's result. */
interface StoreResultOptions<T> {
  /** Longest wait for the store, in milliseconds; STORE_WAIT_MS by default. */
  readonly waitMs?: number;
  /** Title of the page once the result is known. */
  readonly titleOf?: (value: T) => string;
  /** Whether a result is complete; a page with an incomplete one is not cached. */
  readonly isComplete?: (value: T) => boolean;
  /** URL to which a result redirects; null for none. A page that has already begun shows a link to it instead. */
  readonly redirectTo?: (value: T) => string | null;
}

/** Result of a document for which the store was too slow. With scripts the page requests the result again and waits longer. */
const slowResult = (t: Translate): StoreResult<never> => ({
  ok: false,
  status: 503,
  code: "slow",
  message: t("store-visitors:slow"),
  retry: true,
});

/** Data of a page whose URL contains an invalid id, page or search text. */
export function invalidUrl<Rest extends object>(commonProps: Rest, status: number, message: string) {
  const result: StreamedResult<never> = { ok: false, status, code: "invalid", message, retry: false };
  return data({ ...commonProps, result }, { status });
}
