import { useContext } from "react";
import { Icon } from "~/components/icon";
import type { StoreId } from "~/domain/store/store";
import { numberOf } from "~/domain/store/store-ids";
import { isNameIn } from "~/domain/store/store-name";
import { useTranslation } from "~/i18n/translation";
import { Age, ReadAtContext } from "../shared/age";
import { ShopLink } from "../storefront/shop-link";
import { useShopLinks } from "../storefront/use-shop-links";
import { isDeletedInStore, ShopContext } from "./visit-context";

export interface TagProductProps {
  readonly id: StoreId;
  /** Title when the product was attached. The store returns it in the page's language. */
  readonly title: string;
}

/** Product of a tag: the link to it, and its price and stock once the store has responded. */
export default function TagProductCard({ id, title }: TagProductProps) {
  const { t, language } = useTranslation();
  const links = useShopLinks();
  const shop = useContext(ShopContext);
  if (!shop) return null;
  const { live } = shop;
  const product = live?.products?.[id];
  if (isDeletedInStore(live, id)) return null;
  const shownTitle = isNameIn(language, title)
    ? title
    : t("store-visitors:nameless", { number: numberOf(id) });
  return (
    <div className="relative grid gap-1 rounded border border-line p-4 text-sm hover:border-edge">
      <ShopLink
        to={links.product(id)}
        className="flex min-h-10 items-center gap-3 no-underline after:absolute after:inset-0"
      >
        <Icon name="cart" className="text-accent" />
        <span className="min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]">
          {product?.title ?? shownTitle}
        </span>
        <span className="sr-only">{t("store-visitors:show")}</span>
        <Icon name="chevron-right" size={16} className="text-faint" />
      </ShopLink>
      {!live && (
        <noscript>
          <span className="pl-8 text-accent">{t("store-visitors:priceAndStock")}</span>
        </noscript>
      )}
      <p role="status" className="flex flex-wrap gap-x-4 pl-8 empty:sr-only">
        {product && (
          <>
            <span className="font-semibold tabular-nums">{product.price}</span>
            <span className={product.isInStock ? "text-success" : "text-muted"}>{product.state}</span>
          </>
        )}
        {product && (
          <ReadAtContext.Provider value={live?.read ?? null}>
            <Age saidAt={product.saidAt} />
          </ReadAtContext.Provider>
        )}
        {live?.hasFailed && <span className="text-muted">{t("store-visitors:states.productFailed")}</span>}
      </p>
      {live?.hasFailed && (
        <button
          type="button"
          onClick={shop.retry}
          className="relative z-10 ml-8 inline-flex min-h-10 w-fit items-center gap-2 text-accent underline underline-offset-4"
        >
          <Icon name="retry" size={16} />
          {t("store-visitors:retry")}
        </button>
      )}
    </div>
  );
}
