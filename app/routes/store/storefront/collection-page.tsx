import { useLocation, useParams } from "@remix-run/react";
import type { StorePage } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";
import type { StreamedResult } from "../shared/store-result";
import { EmptyResult, StoreResultPart, WaitingCards } from "../shared/store-result-part";
import { Cards, Pages } from "./cards";
import { Frame } from "./frame";
import { useShopLinks } from "./use-shop-links";

export interface CollectionPageProps {
  /** Number of items in the cart; null if unknown. */
  readonly count: number | null;
  readonly result: StreamedResult<{ readonly title: string; readonly page: StorePage }>;
}

/** One page of the products of a collection. */
export default function CollectionPage({ count, result }: CollectionPageProps) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const { collection = "" } = useParams();
  const { key } = useLocation();
  return (
    <Frame page="collections" cartCount={count}>
      <StoreResultPart key={key} hasTitle={false} result={result} placeholder={<WaitingCards />}>
        {({ title, page }) => (
          <div className="grid gap-6">
            <h1 className="text-lg leading-title font-semibold wrap-anywhere">{title}</h1>
            {page.products.length > 0 ? (
              <Cards products={page.products} />
            ) : (
              <EmptyResult title={t("store-visitors:states.noProducts")} />
            )}
            <Pages page={page} href={(query) => links.collection(collection, query)} />
          </div>
        )}
      </StoreResultPart>
    </Frame>
  );
}
