import { useLocation, useNavigate } from "@remix-run/react";
import { useContext, useEffect } from "react";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { choiceParameters, withoutChoice } from "~/domain/store/product-choice";
import type { ProductView, Selection, StoreCollection } from "~/domain/store/store";
import { numberOf } from "~/domain/store/store-ids";
import { canBuy, variantState } from "~/domain/store/store-options";
import { useTranslation } from "~/i18n/translation";
import { ArrivingPart, useArrived } from "../../shared/arriving";
import { Adjustments } from "../cart/adjustments";
import { ReadAtContext } from "../shared/age";
import { AnswerPart } from "../shared/answer";
import type { Arriving, Note, StoreAnswer } from "../shared/answers";
import { CollectionPart } from "../storefront/collections-page";
import { Frame } from "../storefront/frame";
import { ShopLink } from "../storefront/shop-link";
import { useShopLinks } from "../storefront/use-shop-links";
import { Buy, type RefusedPurchase } from "./buy";
import { choiceLink } from "./choice-link";
import { Gallery } from "./gallery";
import { Options } from "./options";
import type { RefusedSeveral } from "./several";
import { StoreTextView } from "./store-text";

/** Address of the page for another language: option names are texts of one language, the variant's id is not. */
function addressOf({ product, variant }: ProductView, pathname: string, search: string): string {
  const query = withoutChoice(new URLSearchParams(search));
  const isChosen = choiceParameters(new URLSearchParams(search)).size > 0;
  if (isChosen && product.options.length > 0 && variant) query.set("variant", numberOf(variant.id));
  return `${pathname}?${query}`;
}

/** Number of variants that are listed for a link that names no existing one. */
const OFFERED_MAX = 12;

interface Product {
  readonly view: ProductView;
  /** Parts of the address that the product does not have. */
  readonly wrong: Selection;
  /** Address of the same selection with the names of this language; null if the current address has them. */
  readonly elsewhere: string | null;
  /** The product from the store, if the page shows cached data. */
  readonly checked: Promise<StoreAnswer<ProductView>> | null;
  readonly related: readonly StoreCollection[] | null | Promise<readonly StoreCollection[] | null>;
}

export interface ProductPageProps {
  readonly count: number | null;
  /** Messages about the store's adjustments of the added items. */
  readonly notes?: readonly Note[];
  readonly answer: Arriving<Product>;
  readonly refused: RefusedPurchase | RefusedSeveral | null;
}

/** Product page: images, options, price, and the form that adds to the cart. */
export default function ProductPage({ count, notes = [], answer, refused }: ProductPageProps) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const view = answer instanceof Promise || !answer.ok ? null : answer.value.view;
  const { pathname, search } = useLocation();
  return (
    <Frame at="products" count={count} address={view && addressOf(view, pathname, search)}>
      <Adjustments notes={notes}>
        <ShopLink to={links.cart} className="inline-flex min-h-10 items-center underline underline-offset-4">
          {t("store-visitors:viewCart")}
        </ShopLink>
      </Adjustments>
      <AnswerPart key={pathname} answer={answer} isTitled={false}>
        {(part) => <ProductPart key={part.view.product.id} {...part} refused={refused} />}
      </AnswerPart>
    </Frame>
  );
}

/** Link to the address of the selection in this language; scripts navigate there automatically. */
function Elsewhere({ address }: { readonly address: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useEffect(() => navigate(address, { replace: true, preventScrollReset: true }), [navigate, address]);
  return (
    <ShopLink to={address} className="inline-flex min-h-10 items-center underline underline-offset-4">
      {t("store-visitors:toChoice")}
    </ShopLink>
  );
}

/** Shows the parts of a link that the product does not have, and offers existing variants. */
function WrongChoice({ view, wrong }: Pick<Product, "view" | "wrong">) {
  const { t, language } = useTranslation();
  const links = useShopLinks();
  const { id, isLarge, options, variants, subscriptionOnly } = view.product;
  const offered = variants.filter((variant) => canBuy(variantState(variant, subscriptionOnly)));
  const others = (offered.length > 0 ? offered : variants).slice(0, OFFERED_MAX);
  return (
    <Notice tone="warning" title={t("store-visitors:wrongChoice")}>
      <ul>
        {wrong.map(({ name, value }) => (
          <li key={name} className="[overflow-wrap:anywhere]">
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
            {others.map((variant) => (
              <li key={variant.id}>
                <ShopLink
                  to={choiceLink(links, { id, isLarge, selection: variant.selectedOptions }, language)}
                  replace
                  preventScrollReset
                  rel="nofollow"
                  className="inline-flex min-h-10 items-center underline underline-offset-4 [overflow-wrap:anywhere]"
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
  view: known,
  wrong,
  elsewhere,
  checked,
  related,
  refused,
}: Product & Pick<ProductPageProps, "refused">) {
  const { t } = useTranslation();
  const answer = useArrived(checked);
  const view = answer?.ok ? answer.value : known;
  const { product } = view;
  const check = checked === null || answer?.ok ? "none" : answer === null ? "under_way" : "failed";
  const read = useContext(ReadAtContext);
  return (
    <article className="grid gap-6">
      <Gallery title={product.title} pictures={product.pictures} chosen={view.variant?.picture ?? null} />
      <h1 className="text-lg leading-title font-semibold [overflow-wrap:anywhere]">{product.title}</h1>
      {product.variant === null ? (
        <p className="flex items-center gap-2 text-muted">
          <Icon name="info" />
          {t("store-visitors:states.productUnset")}
        </p>
      ) : elsewhere ? (
        <Elsewhere address={elsewhere} />
      ) : (
        <ReadAtContext.Provider value={answer?.ok ? answer.read : read}>
          {wrong.length > 0 && <WrongChoice view={view} wrong={wrong} />}
          <Options view={view} />
          {answer && !answer.ok && !answer.retry ? (
            <p role="alert" className="font-semibold">
              {answer.message}
            </p>
          ) : (
            <Buy view={view} check={check} refused={refused} />
          )}
        </ReadAtContext.Provider>
      )}
      {product.description.length > 0 && (
        <section className="grid gap-3">
          <h2 className="text-base font-semibold">{t("store-visitors:description")}</h2>
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
                  title={t("store-visitors:related", { title: collection.title })}
                />
              ))}
          </div>
        )}
      </ArrivingPart>
    </article>
  );
}
