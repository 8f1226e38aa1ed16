import type { StoreCollection } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";
import type { StreamedResult } from "../shared/store-result";
import { EmptyResult, StoreResultPart, WaitingCards } from "../shared/store-result-part";
import { Cards } from "./cards";
import { Frame } from "./frame";
import { ShopLink } from "./shop-link";
import { useShopLinks } from "./use-shop-links";

export interface CollectionsPageProps {
  /** Number of items in the cart; null if unknown. */
  readonly count: number | null;
  readonly result: StreamedResult<readonly StoreCollection[]>;
}

/** Collections of a shop, each with some of its products. */
export default function CollectionsPage({ count, result }: CollectionsPageProps) {
  const { t } = useTranslation();
  return (
    <Frame page="collections" cartCount={count}>
      <h1 className="text-lg leading-title font-semibold">{t("store-visitors:collections")}</h1>
      <StoreResultPart result={result} placeholder={<WaitingCards />}>
        {(collections) =>
          collections.length === 0 ? (
            <EmptyResult title={t("store-visitors:states.noProducts")}>
              {t("store-visitors:emptyText")}
            </EmptyResult>
          ) : (
            <div className="grid gap-8">
              {collections.map((collection) => (
                <CollectionPart key={collection.id} collection={collection} />
              ))}
            </div>
          )
        }
      </StoreResultPart>
    </Frame>
  );
}

/** A collection with a link to all of its products. */
export function CollectionPart({
  collection,
  title = collection.title,
}: {
  readonly collection: StoreCollection;
  readonly title?: string;
}) {
  const { t } = useTranslation();
  const links = useShopLinks();
  return (
    <section className="grid gap-3">
      <h2 className="text-base font-semibold wrap-anywhere">{title}</h2>
      {collection.products.length > 0 ? (
        <>
          <Cards products={collection.products} />
          <ShopLink to={links.collection(collection.id)} className="text-link w-fit text-sm">
            {t("store-visitors:relatedAll", { title: collection.title })}
          </ShopLink>
        </>
      ) : (
        <p className="text-sm text-muted">{t("store-visitors:states.noProducts")}</p>
      )}
    </section>
  );
}
