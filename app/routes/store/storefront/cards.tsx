import { Icon } from "~/components/icon";
import type { StoreCard, StorePage } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";
import { OldestAge } from "../shared/age";
import { formatPrice } from "../shared/format-price";
import { formatStock, isInStock } from "../shared/format-stock";
import { StoreImage } from "../shared/store-image";
import { ShopLink } from "./shop-link";
import { useShopLinks } from "./use-shop-links";

/** Products as cards, each a link to its page. */
export function Cards({ products }: { readonly products: readonly StoreCard[] }) {
  return (
    <div className="grid gap-3">
      <OldestAge items={products} />
      <ul className="product-cards">
        {products.map((product) => (
          <Card key={product.id} product={product} />
        ))}
      </ul>
    </div>
  );
}

function Card({ product }: { readonly product: StoreCard }) {
  const { t, language } = useTranslation();
  const links = useShopLinks();
  const { title, image, price, state } = product;
  return (
    <li>
      {image === null ? (
        <StoreImage image={null} alt="" sizes="" className="aspect-square rounded" />
      ) : (
        <img src={image} alt="" loading="lazy" decoding="async" />
      )}
      <div>
        <ShopLink to={links.product(product.id)}>{title}</ShopLink>
        <p>{formatPrice(t, language, price)}</p>
        {!isInStock(state) && (
          <p className="flex items-center gap-1.5 text-muted">
            <Icon name={state === "back_order" ? "clock" : "minus"} size={16} />
            {formatStock(t, state)}
          </p>
        )}
      </div>
    </li>
  );
}

/** Links to the previous and the next page. `href` returns the URL of a page of the list. */
export function Pages({
  page,
  href,
}: {
  readonly page: Pick<StorePage, "next" | "previous">;
  readonly href: (query: { readonly after: string | null; readonly before: string | null }) => string;
}) {
  const { t } = useTranslation();
  if (page.next === null && page.previous === null) return null;
  const className =
    "inline-flex min-h-10 items-center gap-1 rounded border border-edge/65 px-3 text-sm font-semibold no-underline hover:border-edge hover:bg-surface";
  return (
    <nav aria-label={t("store-visitors:pages")} className="flex justify-between gap-2">
      {page.previous !== null ? (
        <ShopLink to={href({ after: null, before: page.previous })} rel="prev" className={className}>
          <Icon name="chevron-left" size={16} />
          {t("store-visitors:previous")}
        </ShopLink>
      ) : (
        <span />
      )}
      {page.next !== null && (
        <ShopLink to={href({ after: page.next, before: null })} rel="next" className={className}>
          {t("store-visitors:next")}
          <Icon name="chevron-right" size={16} />
        </ShopLink>
      )}
    </nav>
  );
}
