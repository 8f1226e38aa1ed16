/** The data of pages that wait for a store: its answer, or the message of its failure (decisions 034, 048 and 049). */
import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { StoreOperation } from "~/domain/store/store";
import { FAILURE_MESSAGES } from "~/domain/store/store-failure";
import { failureMessage } from "~/forms/shared/user-message";
import type { MessageKey, Translate } from "~/i18n/messages";
import { within } from "../../shared/with-time-limit";
import type { InShop } from "../storefront/shop.server";
import type { Arriving, ReadAt, StoreAnswer } from "./answers";

/** Time that a page waits for the store before its first bytes are sent, in milliseconds: a cached answer is then part of it, with its own status. */
const GRACE_MS = 250;
/** Longest wait for the store, in milliseconds. It is shorter than the time after which a streamed page is aborted (entry.server). */
export const STORE_WAIT_MS = 9_000;

/** Longest wait of a loaded document, in milliseconds, for readers without scripts: within two seconds it has its prices, or a link to them. */
const DOCUMENT_PATIENCE_MS = 1_700;

/** Time for which a page of the shop is served from the isolate (worker.ts), in milliseconds. */
const PAGE_KEPT_MS = 60_000;

/** Time that a page of products waits for the store, in milliseconds. */
export const patienceOf = ({ isDocument, isKept }: Pick<InShop, "isDocument" | "isKept">): number =>
  isDocument && !isKept ? DOCUMENT_PATIENCE_MS : STORE_WAIT_MS;

/** The result of a call, or the message of its failure. The service chooses the message; an unexpected error is logged. */
export async function answerOf<T>(
  context: AppLoadContext,
  t: Translate,
  work: Promise<T>,
  operation: StoreOperation,
): Promise<StoreAnswer<T>> {
  try {
    const result = await context.attempt(work);
    if (result.ok) return { ok: true, value: result.value, read: readAt(context) };
    const { status, code } = result.failure;
    const words = failureMessage(result.failure);
    const message = t(words.key as MessageKey, words.values);
    return { ok: false, status, code, message, retry: status >= 500 };
  } catch (error) {
    context.reportError(error);
    return unanswered(t, operation);
  }
}

/** The time of reading for the data of a page. A cached page may be served for another minute. */
export const readAt = ({ now, page }: AppLoadContext): ReadAt => ({
  at: now,
  slackMs: page.buffered ? PAGE_KEPT_MS : 0,
});

const unanswered = (t: Translate, operation: StoreOperation): StoreAnswer<never> => ({
  ok: false,
  status: 503,
  code: "unavailable",
  message: t(FAILURE_MESSAGES[operation] as MessageKey),
  retry: true,
});

/**
 * The data of a page of the shop: with the store's answer and its status where it arrives within GRACE_MS, otherwise with the promise of it, so
 * that the page does not wait for the store.
 * @param rest what the page knows without the store
 * @throws a redirect, where the answer calls for another address
 */
export async function arriving<T, Rest extends { readonly title: string }>(
  { t, isKept, sent, operation }: Pick<InShop, "t" | "isKept" | "sent" | "operation">,
  answer: Promise<StoreAnswer<T>>,
  rest: Rest,
  options: ArrivingOptions<T> = {},
) {
  const { patienceMs = STORE_WAIT_MS, titleOf = () => rest.title, isWhole = () => true, leadsTo } = options;
  const late = patienceMs < STORE_WAIT_MS ? slowAnswer(t) : unanswered(t, operation);
  const patient: Promise<StoreAnswer<T>> = within(answer, patienceMs, late);
  const first = isKept ? await patient : await within(patient, GRACE_MS, null);
  sent.hasBegun = first === null;
  const address = first?.ok && leadsTo ? leadsTo(first.value) : null;
  if (address) throw redirect(address);
  const title = first?.ok ? titleOf(first.value) : rest.title;
  const page: Rest & { readonly answer: Arriving<T> } = { ...rest, title, answer: first ?? patient };
  if (first?.ok) return data(page, { status: isKept && !isWhole(first.value) ? 503 : 200 });
  return data(page, { status: first ? first.status : 200 });
}

/** Options of a page that waits for the store's answer. */
interface ArrivingOptions<T> {
  /** Longest wait for the store, in milliseconds; PATIENCE_MS unless given. */
  readonly patienceMs?: number;
  /** The title of the page once the answer is known. */
  readonly titleOf?: (value: T) => string;
  /** Whether an answer is complete; a page with an incomplete one is not cached. */
  readonly isWhole?: (value: T) => boolean;
  /** The address to which an answer redirects; null for none. A page that has begun shows a link to it instead. */
  readonly leadsTo?: (value: T) => string | null;
}

/** The answer of a loaded document that waits no longer. With scripts the page asks again by itself. */
const slowAnswer = (t: Translate): StoreAnswer<never> => ({
  ok: false,
  status: 503,
  code: "slow",
  message: t("store-visitors:slow"),
  retry: true,
});

/** The data of a page whose address cannot exist. */
export function invalidAddress<Rest extends object>(rest: Rest, status: number, message: string) {
  const answer: Arriving<never> = { ok: false, status, code: "invalid", message, retry: false };
  return data({ ...rest, answer }, { status });
}
