import { useLocation, useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { Icon } from "~/components/icon";
import type { ProductView, StoreCollection } from "~/domain/store";
import { selectionPositions, withoutNames } from "~/domain/store-options";
import { useTranslation } from "~/i18n/use-translation";
import { ArrivingPart } from "../shared/arriving";
import { Adjustments } from "./adjustments";
import { AnswerPart } from "./answer";
import type { Arriving, Note } from "./answers";
import { Buy, type Refused } from "./buy";
import { CollectionPart } from "./collections-page";
import { Frame } from "./frame";
import { Gallery } from "./gallery";
import { Options } from "./options";
import { ShopLink } from "./shop-link";
import { StoreTextView } from "./store-text";
import { useShopLinks } from "./use-shop-links";

/** The page's address without the names of what is chosen: in another language they are others. */
function addressOf({ product, selection }: ProductView, pathname: string, search: string): string {
  const query = withoutNames(new URLSearchParams(search));
  if (product.options.length > 0) query.set("choice", selectionPositions(product.options, selection));
  return `${pathname}?${query}`;
}

interface Product {
  readonly view: ProductView;
  /** Where what was chosen is shown, if not here: the store has to be asked for it by its names. */
  readonly choice: string | null;
  readonly related: readonly StoreCollection[] | null | Promise<readonly StoreCollection[] | null>;
}

export interface ProductPageProps {
  readonly count: number | null;
  /** What the store made of what was added, in words. */
  readonly notes?: readonly Note[];
  readonly answer: Arriving<Product>;
  readonly refused: Refused | null;
}

/** A product: its pictures, what can be chosen of it, what that costs, and the way into the cart. */
export default function ProductPage({ count, notes = [], answer, refused }: ProductPageProps) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const view = answer instanceof Promise || !answer.ok ? null : answer.value.view;
  const { pathname, search } = useLocation();
  return (
    <Frame at="products" count={count} address={view && addressOf(view, pathname, search)}>
      <Adjustments notes={notes}>
        <ShopLink to={links.cart} className="inline-flex min-h-10 items-center underline underline-offset-4">
          {t("shop.viewCart")}
        </ShopLink>
      </Adjustments>
      <AnswerPart key={pathname} answer={answer} isTitled={false}>
        {(found) => <ProductPart key={found.view.product.id} {...found} refused={refused} />}
      </AnswerPart>
    </Frame>
  );
}

/** What was chosen is shown at another address, to which scripts go by themselves. */
function Elsewhere({ address }: { readonly address: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useEffect(() => navigate(address, { replace: true, preventScrollReset: true }), [navigate, address]);
  return (
    <ShopLink to={address} className="inline-flex min-h-10 items-center underline underline-offset-4">
      {t("shop.toChoice")}
    </ShopLink>
  );
}

function ProductPart({ view, choice, related, refused }: Product & { readonly refused: Refused | null }) {
  const { t } = useTranslation();
  const { product } = view;
  return (
    <article className="grid gap-6">
      <Gallery title={product.title} pictures={product.pictures} chosen={view.variant?.picture ?? null} />
      <h1 className="text-lg leading-title font-semibold [overflow-wrap:anywhere]">{product.title}</h1>
      {product.variant === null ? (
        <p className="flex items-center gap-2 text-muted">
          <Icon name="info" />
          {t("errors.store.productUnset")}
        </p>
      ) : choice ? (
        <Elsewhere address={choice} />
      ) : (
        <>
          <Options view={view} />
          <Buy view={view} refused={refused} />
        </>
      )}
      {product.description.length > 0 && (
        <section className="grid gap-3">
          <h2 className="text-base font-semibold">{t("shop.description")}</h2>
          <StoreTextView text={product.description} />
        </section>
      )}
      <ArrivingPart part={related} waiting={<span />}>
        {(collections) => (
          <div className="grid gap-8">
            {(collections ?? [])
              .map((one) => ({ ...one, products: one.products.filter(({ id }) => id !== product.id) }))
              .filter(({ products }) => products.length > 0)
              .map((collection) => (
                <CollectionPart
                  key={collection.id}
                  collection={collection}
                  title={t("shop.related", { title: collection.title })}
                />
              ))}
          </div>
        )}
      </ArrivingPart>
    </article>
  );
}
