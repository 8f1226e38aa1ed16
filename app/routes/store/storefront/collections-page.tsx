import type { StoreCollection } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";
import { AnswerPart, Nothing, WaitingCards } from "../shared/answer";
import type { Arriving } from "../shared/answers";
import { Cards } from "./cards";
import { Frame } from "./frame";
import { ShopLink } from "./shop-link";
import { useShopLinks } from "./use-shop-links";

export interface CollectionsPageProps {
  readonly count: number | null;
  readonly answer: Arriving<readonly StoreCollection[]>;
}

/** Collections of a shop, each with some of its products. */
export default function CollectionsPage({ count, answer }: CollectionsPageProps) {
  const { t } = useTranslation();
  return (
    <Frame at="collections" count={count}>
      <h1 className="text-lg leading-title font-semibold">{t("store-visitors:collections")}</h1>
      <AnswerPart answer={answer} waiting={<WaitingCards />}>
        {(collections) =>
          collections.length === 0 ? (
            <Nothing title={t("store-visitors:states.noProducts")}>{t("store-visitors:emptyText")}</Nothing>
          ) : (
            <div className="grid gap-8">
              {collections.map((collection) => (
                <CollectionPart key={collection.id} collection={collection} />
              ))}
            </div>
          )
        }
      </AnswerPart>
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
      <h2 className="text-base font-semibold [overflow-wrap:anywhere]">{title}</h2>
      {collection.products.length > 0 ? (
        <>
          <Cards products={collection.products} />
          <ShopLink
            to={links.collection(collection.id)}
            className="inline-flex min-h-10 w-fit items-center text-sm text-accent underline underline-offset-4"
          >
            {t("store-visitors:relatedAll", { title: collection.title })}
          </ShopLink>
        </>
      ) : (
        <p className="text-sm text-muted">{t("store-visitors:states.noProducts")}</p>
      )}
    </section>
  );
}
