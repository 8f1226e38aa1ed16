import { useContext } from "react";
import { Icon } from "~/components/icon";
import { mayShowSavedName } from "~/domain/store/saved-name";
import type { StoreId } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import { useTranslation } from "~/i18n/translation";
import { Age, ReadAtContext } from "../shared/age";
import { ShopLink } from "../storefront/shop-link";
import { useShopLinks } from "../storefront/use-shop-links";
import { isDeletedInStore, ShopContext } from "./visit-context";

export interface TagProductProps {
  readonly id: StoreId;
  /** Title when the product was attached. The store's response has the title in the page's language. */
  readonly title: string;
}

/** Product of a tag or of the event: the link to it, and its price and stock once the store has responded. */
export default function TagProductCard({ id, title }: TagProductProps) {
  const { t, language } = useTranslation();
  const links = useShopLinks();
  const shop = useContext(ShopContext);
  if (!shop) return null;
  const { live } = shop;
  const product = live?.products?.[id];
  if (isDeletedInStore(live, id)) return null;
  const displayedTitle = mayShowSavedName(language, title)
    ? title
    : t("store-visitors:nameless", { number: toIdNumber(id) });
  const name = product?.title ?? displayedTitle;
  return (
    <div className="tag-product">
      <ShopLink to={links.product(id)} aria-label={`${name} ${t("store-visitors:show")}`}>
        <Icon name="cart" className="text-accent" />
        {name}
      </ShopLink>
      {!live && (
        <noscript>
          <span className="pl-8 text-accent">{t("store-visitors:priceAndStock")}</span>
        </noscript>
      )}
      <p role="status" className="empty:sr-only">
        {product && (
          <>
            {product.price}
            <span className={product.isInStock ? "text-success" : "text-muted"}>{product.state}</span>
          </>
        )}
        {product && (
          <ReadAtContext.Provider value={live?.readAt ?? null}>
            <Age respondedAt={product.respondedAt} />
          </ReadAtContext.Provider>
        )}
        {live?.hasFailed && <span className="text-muted">{t("store-visitors:states.productFailed")}</span>}
      </p>
      {live?.hasFailed && (
        <button type="button" onClick={shop.retry} className="text-link relative z-10 ml-8 w-fit">
          <Icon name="retry" size={16} />
          {t("store-visitors:retry")}
        </button>
      )}
    </div>
  );
}
