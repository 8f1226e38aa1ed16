import { useLocation } from "@remix-run/react";
import { useContext } from "react";
import { LinkButton } from "~/components/button";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { Icon } from "~/components/icon";
import { useHydrated } from "~/components/use-hydrated";
import type { Cart, RemovedItem } from "~/domain/store/store";
import { formatMoney } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import type { Note, StreamedResult } from "../shared/store-result";
import { EmptyResult, StoreResultPart } from "../shared/store-result-part";
import { useReloadData } from "../shared/use-reload-data";
import { Frame } from "../storefront/frame";
import { useShopLinks } from "../storefront/use-shop-links";
import { ShopContext } from "../visit/visit-context";
import { Adjustments } from "./adjustments";
import { CartLineRow, type RejectedLine, RestoreLine } from "./cart-line";
import { useCartChange } from "./use-cart-change";

export interface CartPageProps {
  /** Number of items in the cart; null if unknown. */
  readonly count: number | null;
  /** Messages about the store's adjustments of the change that led here. */
  readonly notes: readonly Note[];
  /** Line that the visitor just removed; null if there is none. */
  readonly removedItem: RemovedItem | null;
  readonly result: StreamedResult<{
    readonly cart: Cart | null;
    /** Messages about the store's adjustments since the cart was last displayed. */
    readonly notes: readonly Note[];
    /** Number of items in the cart. */
    readonly count: number;
    /** Cart for the page's links (its id in a short form, with its item count); null if the cookie is sufficient. */
    readonly handle: string | null;
    /** URL of an image that corrects the browser's cookie; null if it is correct. */
    readonly correction: string | null;
  }>;
  readonly rejected: RejectedLine | null;
}

/** The visitor's cart: its lines, its total, and the link to the store's checkout. */
export default function CartPage({ count, notes, removedItem, result, rejected }: CartPageProps) {
  const { t } = useTranslation();
  const readyResult = result instanceof Promise || !result.ok ? null : result.value;
  // Loads the cart again when another tab has changed it.
  useReloadData(useContext(ShopContext)?.otherTabCount ?? null);
  return (
    <Frame page="cart" cartCount={readyResult?.count ?? count} handle={readyResult?.handle}>
      <h1 className="text-lg leading-title font-semibold">{t("store-visitors:cart")}</h1>
      {removedItem && (
        <RestoreLine key={`${removedItem.variantId} ${removedItem.title}`} removedItem={removedItem} />
      )}
      <Adjustments notes={notes} />
      {rejected?.errors.form && (
        <FormErrorSummary errors={[{ id: "", message: rejected.errors.form }]} title={null} hint={null} />
      )}
      <StoreResultPart result={result}>
        {({ cart, notes: cartNotes, correction }) => (
          <div className="grid gap-6">
            <Adjustments notes={cartNotes} />
            {correction && <img src={correction} alt="" hidden />}
            <CartContents cart={cart} rejected={rejected} />
          </div>
        )}
      </StoreResultPart>
    </Frame>
  );
}

function CartContents({
  cart,
  rejected,
}: {
  readonly cart: Cart | null;
  readonly rejected: RejectedLine | null;
}) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const { list, announcement } = useCartChange(cart);
  return (
    <div ref={list} className="grid gap-6">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {cart && cart.lines.length > 0 ? (
        <>
          <ul className="ruled">
            {cart.lines.map((line, index) => (
              <CartLineRow
                // The key resets the field after a new quantity or another result.
                key={`${line.id} ${line.quantity} ${rejected?.line === line.id ? rejected.quantity : ""}`}
                line={line}
                id={`line-${index}`}
                rejected={rejected?.line === line.id ? rejected : null}
              />
            ))}
          </ul>
          <Costs cart={cart} />
        </>
      ) : (
        <EmptyResult
          title={t("store-visitors:cartEmpty")}
          href={links.list()}
          link={t("store-visitors:toProducts")}
        >
          {t("store-visitors:cartEmptyText")}
        </EmptyResult>
      )}
    </div>
  );
}

function Costs({ cart }: { readonly cart: Cart }) {
  const { t, language } = useTranslation();
  const reportUrl = useContext(ShopContext)?.reportUrl;
  const hydrated = useHydrated();
  const { pathname, search } = useLocation();
  return (
    <section className="grid gap-4">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 tabular-nums">
        <dt className="text-muted">{t("store-visitors:subtotal")}</dt>
        <dd className="text-right">{formatMoney(cart.subtotal, language)}</dd>
        <dt className="font-semibold">{t("store-visitors:total")}</dt>
        <dd className="text-right text-lg leading-title font-semibold">
          {formatMoney(cart.total, language)}
        </dd>
      </dl>
      <p className="text-xs text-muted text-phrase">{t("store-visitors:totalNote")}</p>
      {cart.checkoutUrl ? (
        <div className="grid gap-2">
          {/* The URL of the event contains its token, so it must not be sent to the store as the referrer. */}
          <a
            href={cart.checkoutUrl}
            data-checkout=""
            // With scripts the page itself reports the visit to the checkout.
            ping={reportUrl && !hydrated ? `${reportUrl}&checkout=` : undefined}
            target="_blank"
            rel="noopener noreferrer"
            referrerPolicy="no-referrer"
            className="inline-flex min-h-11 items-center justify-center gap-2 rounded bg-accent px-4 text-sm font-semibold text-accent-ink no-underline hover:bg-accent-strong"
          >
            <Icon name="external" />
            {t("store-visitors:checkout")}
            <span className="sr-only"> ({t("shared:opensNewTab")})</span>
          </a>
          <p className="text-xs text-muted text-phrase">{t("store-visitors:checkoutHint")}</p>
        </div>
      ) : (
        <div className="grid justify-items-start gap-3">
          <p className="text-sm text-muted text-phrase">{t("store-visitors:checkoutNone")}</p>
          <LinkButton href={pathname + search} icon="retry">
            {t("store-visitors:retry")}
          </LinkButton>
        </div>
      )}
    </section>
  );
}
