import { useLocation, useNavigate } from "@remix-run/react";
import { useContext, useEffect } from "react";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { choiceParameters, withoutChoice } from "~/domain/store/product-choice";
import type { ProductView, Selection, StoreCollection } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import { canBuy, variantState } from "~/domain/store/store-options";
import { useTranslation } from "~/i18n/translation";
import { DeferredPart, useDeferredPartValue } from "../../shared/deferred-part";
import { Adjustments } from "../cart/adjustments";
import { ReadAtContext } from "../shared/age";
import type { Note, StoreResult, StreamedResult } from "../shared/store-result";
import { StoreResultPart } from "../shared/store-result-part";
import { CollectionPart } from "../storefront/collections-page";
import { Frame } from "../storefront/frame";
import { ShopLink } from "../storefront/shop-link";
import { useShopLinks } from "../storefront/use-shop-links";
import { Buy, type RejectedPurchase } from "./buy";
import { choiceLink } from "./choice-link";
import { Gallery } from "./gallery";
import { Options } from "./options";
import type { RejectedVariants } from "./several";
import { StoreTextView } from "./store-text";

/** URL of the page for readers of another language. It contains the variant's id instead of option names, which are in one language. */
function urlForOtherLanguages({ product, variant }: ProductView, pathname: string, search: string): string {
  const query = withoutChoice(new URLSearchParams(search));
  const isChosen = choiceParameters(new URLSearchParams(search)).size > 0;
  if (isChosen && product.options.length > 0 && variant) query.set("variant", toIdNumber(variant.id));
  return `${pathname}?${query}`;
}

/** Maximum number of variants that are suggested if the URL's selection does not exist. */
const SUGGESTED_MAX = 12;

interface LoadedProduct {
  readonly view: ProductView;
  /** Option values of the URL that the product lacks. */
  readonly unknownParts: Selection;
  /** URL of the same selection with the names of this language; null if the current URL has them. */
  readonly localizedHref: string | null;
  /** The product from the store, if the page shows cached data. */
  readonly freshResult: Promise<StoreResult<ProductView>> | null;
  /** Collections with the product; null if they could not be loaded in time. */
  readonly related: readonly StoreCollection[] | null | Promise<readonly StoreCollection[] | null>;
}

export interface ProductPageProps {
  /** Number of items in the cart; null if unknown. */
  readonly count: number | null;
  /** Messages about the store's adjustments of the added items. */
  readonly notes?: readonly Note[];
  readonly result: StreamedResult<LoadedProduct>;
  readonly rejected: RejectedPurchase | RejectedVariants | null;
}

/** Product page: images, options, price, and the form that adds to the cart. */
export default function ProductPage({ count, notes = [], result, rejected }: ProductPageProps) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const view = result instanceof Promise || !result.ok ? null : result.value.view;
  const { pathname, search } = useLocation();
  return (
    <Frame page="products" cartCount={count} url={view && urlForOtherLanguages(view, pathname, search)}>
      <Adjustments notes={notes}>
        <ShopLink to={links.cart} className="inline-flex min-h-10 items-center underline">
          {t("store-visitors:viewCart")}
        </ShopLink>
      </Adjustments>
      <StoreResultPart key={pathname} result={result} hasTitle={false}>
        {(loaded) => <ProductPart key={loaded.view.product.id} {...loaded} rejected={rejected} />}
      </StoreResultPart>
    </Frame>
  );
}

/** Link to the URL of the selection in this language. With scripts the page navigates there automatically. */
function LocalizedUrl({ url }: { readonly url: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useEffect(() => navigate(url, { replace: true, preventScrollReset: true }), [navigate, url]);
  return (
    <ShopLink to={url} className="inline-flex min-h-10 items-center underline">
      {t("store-visitors:toChoice")}
    </ShopLink>
  );
}

/** Lists the option values of the URL that the product lacks, and suggests variants, if possible ones that can be bought. */
function UnknownChoice({ view, unknownParts }: Pick<LoadedProduct, "view" | "unknownParts">) {
  const { t, language } = useTranslation();
  const links = useShopLinks();
  const { id, isLarge, options, variants, subscriptionOnly } = view.product;
  const buyable = variants.filter((variant) => canBuy(variantState(variant, subscriptionOnly)));
  const suggestedVariants = (buyable.length > 0 ? buyable : variants).slice(0, SUGGESTED_MAX);
  return (
    <Notice tone="warning" title={t("store-visitors:wrongChoice")}>
      <ul>
        {unknownParts.map(({ name, value }) => (
          <li key={name} className="wrap-anywhere">
            {t("store-visitors:wrongPart", { name, value })}
          </li>
        ))}
      </ul>
      {options.length === 0 ? (
        <p>{t("store-visitors:wrongChoiceNone")}</p>
      ) : (
        <>
          <p>{t("store-visitors:wrongChoiceText")}</p>
          <ul className="flex flex-wrap gap-x-4">
            {suggestedVariants.map((variant) => (
              <li key={variant.id}>
                <ShopLink
                  to={choiceLink(links, { id, isLarge, selection: variant.selectedOptions }, language)}
                  replace
                  preventScrollReset
                  rel="nofollow"
                  className="inline-flex min-h-10 items-center underline wrap-anywhere"
                >
                  {variant.title}
                </ShopLink>
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
}

function ProductPart({
  view: cachedView,
  unknownParts,
  localizedHref,
  freshResult,
  related,
  rejected,
}: LoadedProduct & Pick<ProductPageProps, "rejected">) {
  const { t } = useTranslation();
  const result = useDeferredPartValue(freshResult);
  const view = result?.ok ? result.value : cachedView;
  const { product } = view;
  const check = freshResult === null || result?.ok ? "none" : result === null ? "under_way" : "failed";
  const readAt = useContext(ReadAtContext);
  return (
    <article className="grid gap-6">
      <Gallery title={product.title} images={product.images} variantImage={view.variant?.image ?? null} />
      <h1 className="text-lg leading-title font-semibold wrap-anywhere">{product.title}</h1>
      {product.variant === null ? (
        <p className="flex items-center gap-2 text-muted">
          <Icon name="info" />
          {t("store-visitors:states.productUnset")}
        </p>
      ) : localizedHref ? (
        <LocalizedUrl url={localizedHref} />
      ) : (
        <ReadAtContext.Provider value={result?.ok ? result.readAt : readAt}>
          {unknownParts.length > 0 && <UnknownChoice view={view} unknownParts={unknownParts} />}
          <Options view={view} />
          {result && !result.ok && !result.retry ? (
            <p role="alert" className="font-semibold">
              {result.message}
            </p>
          ) : (
            <Buy view={view} check={check} rejected={rejected} />
          )}
        </ReadAtContext.Provider>
      )}
      {product.description.length > 0 && (
        <section className="grid gap-3">
          <h2 className="text-base font-semibold">{t("store-visitors:description")}</h2>
          <StoreTextView text={product.description} />
        </section>
      )}
      <DeferredPart part={related} fallback={<span />}>
        {(collections) => (
          <div className="grid gap-8">
            {(collections ?? [])
              .map((collection) => ({
                ...collection,
                products: collection.products.filter(({ id }) => id !== product.id),
              }))
              .filter(({ products }) => products.length > 0)
              .map((collection) => (
                <CollectionPart
                  key={collection.id}
                  collection={collection}
                  title={t("store-visitors:related", { title: collection.title })}
                />
              ))}
          </div>
        )}
      </DeferredPart>
    </article>
  );
}
