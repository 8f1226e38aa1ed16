import { useContext, useEffect } from "react";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { CartCount } from "../storefront/frame";
import { ShopLink } from "../storefront/shop-link";
import { useShopLinks } from "../storefront/use-shop-links";
import { readLive } from "./read-live";
import TagProductCard, { type TagProductProps } from "./tag-product-card";
import { isDeletedInStore, ShopContext } from "./visit-context";

export interface ShopEntranceProps {
  /** Products that the owner added to the event, not to a tag. */
  readonly products: readonly TagProductProps[];
}

/** Links from an event into its shop and its cart, with the event's products. After hydration it requests the cart's item count, and prices and stock. */
export default function ShopEntrance({ products }: ShopEntranceProps) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const shop = useContext(ShopContext);
  const { updateProducts, updateCart, attempt } = shop ?? {};
  const { liveHref } = links;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the request
  useEffect(() => {
    const abort = new AbortController();
    const readLiveData = async () => {
      const response = await fetch(liveHref, { signal: abort.signal });
      if (!response.ok || !response.body) throw new Error(`${response.status}`);
      await readLive(response.body, (part) => {
        if ("products" in part) updateProducts?.(part);
        else if (part.count !== null) updateCart?.(part.count, null);
      });
    };
    readLiveData().catch(() => {
      if (!abort.signal.aborted) updateProducts?.({ products: null });
    });
    return () => abort.abort();
  }, [liveHref, updateProducts, updateCart, attempt]);
  const count = shop?.count ?? 0;
  const availableProducts = products.filter(({ id }) => !isDeletedInStore(shop?.live, id));
  return (
    <div className="grid gap-4">
      <nav aria-label={t("store-visitors:title")} className="flex flex-wrap gap-2">
        <ShopLink
          to={links.list()}
          className="inline-flex min-h-11 flex-1 items-center justify-center gap-2 rounded border border-edge/65 px-4 text-sm font-semibold whitespace-nowrap no-underline hover:border-edge hover:bg-surface"
        >
          <Icon name="grid" />
          {t("store-visitors:entrance")}
        </ShopLink>
        <ShopLink
          to={links.cart}
          className="inline-flex min-h-11 items-center justify-center gap-2 rounded border border-edge/65 px-4 text-sm font-semibold whitespace-nowrap no-underline hover:border-edge hover:bg-surface"
        >
          <Icon name="cart" />
          {t("store-visitors:cart")}
          {count > 0 && <CartCount count={count} />}
        </ShopLink>
      </nav>
      {availableProducts.length > 0 && (
        <ul aria-label={t("store-visitors:products")} className="grid gap-2">
          {availableProducts.map((product) => (
            <li key={product.id}>
              <TagProductCard {...product} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
