import { Form, Link, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { FormErrorSummary } from "~/components/form-error-summary";
import { Icon } from "~/components/icon";
import { NumberField } from "~/components/number-field";
import { CART_QUANTITY_MAX } from "~/domain/limits";
import type { ProductView, StoreCollection } from "~/domain/store";
import { numberOf } from "~/domain/store-ids";
import { canBuy } from "~/domain/store-options";
import { formatMoney } from "~/i18n/format";
import { useTranslation } from "~/i18n/use-translation";
import { ArrivingPart } from "../shared/arriving";
import { Adjustments } from "./adjustments";
import { AnswerPart } from "./answer";
import type { Arriving } from "./answers";
import { CollectionPart } from "./collections-page";
import { Frame } from "./frame";
import { Gallery } from "./gallery";
import { Options } from "./options";
import { StoreTextView } from "./store-text";
import { useShopLinks } from "./use-shop-links";

/** What became of a form that adds to the cart. */
export type Added =
  | {
      readonly state: "refused";
      /** As typed. */
      readonly quantity: string;
      readonly errors: { readonly quantity?: string; readonly form?: string };
    }
  /** The store changed what was asked for: in words. */
  | {
      readonly state: "adjusted";
      readonly count: number;
      readonly handle: string | null;
      readonly notes: readonly string[];
    };

interface Product {
  readonly view: ProductView;
  readonly related: Promise<readonly StoreCollection[] | null>;
}

export interface ProductPageProps {
  readonly count: number;
  readonly answer: Arriving<Product>;
  readonly added: Added | null;
}

/** A product: its pictures, what can be chosen of it, what that costs, and the way into the cart. */
export default function ProductPage({ count, answer, added }: ProductPageProps) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const adjusted = added?.state === "adjusted" ? added : null;
  return (
    <Frame at="products" count={adjusted?.count ?? count} handle={adjusted?.handle}>
      {adjusted && (
        <Adjustments notes={adjusted.notes}>
          <Link to={links.cart} className="inline-flex min-h-10 items-center underline underline-offset-4">
            {t("shop.cart")}
          </Link>
        </Adjustments>
      )}
      <AnswerPart answer={answer}>
        {({ view, related }) => (
          <ProductView
            key={view.product.id}
            view={view}
            related={related}
            refused={added?.state === "refused" ? added : null}
          />
        )}
      </AnswerPart>
    </Frame>
  );
}

function ProductView({ view, related, refused }: Product & { readonly refused: Refused | null }) {
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
            {(collections ?? []).map((collection) => (
              <CollectionPart
                key={collection.id}
                collection={{
                  ...collection,
                  products: collection.products.filter(({ id }) => id !== product.id),
                }}
                title={t("shop.related", { title: collection.title })}
              />
            ))}
          </div>
        )}
      </ArrivingPart>
    </article>
  );
}

type Refused = Extract<Added, { state: "refused" }>;

/** The price of what is chosen, whether it can be had, and the form that puts it into the cart. */
function Buy({ view, refused }: { readonly view: ProductView; readonly refused: Refused | null }) {
  const { t, language } = useTranslation();
  const navigation = useNavigation();
  const busy = navigation.state === "submitting";
  const { variant, state, product } = view;
  const links = useShopLinks();
  return (
    <div className="grid gap-4 border-y border-line py-5">
      {variant && (
        <p className="text-lg font-semibold tabular-nums">
          <span className="sr-only">{t("shop.price")}: </span>
          {formatMoney(variant.price, language)}
        </p>
      )}
      <State view={view} />
      {refused && (
        <FormErrorSummary
          errors={[
            ...(refused.errors.form ? [{ id: "", message: refused.errors.form }] : []),
            ...(refused.errors.quantity
              ? [{ id: "quantity", label: t("shop.quantity"), message: refused.errors.quantity }]
              : []),
          ]}
          title={null}
          hint={null}
        />
      )}
      {variant && canBuy(state) && (
        <Form
          method="post"
          action={links.product(product.id, view.selection)}
          className="flex flex-wrap items-start gap-3"
        >
          <input type="hidden" name="variant" value={numberOf(variant.id)} />
          <NumberField
            name="quantity"
            label={t("shop.quantity")}
            error={refused?.errors.quantity}
            min={1}
            max={CART_QUANTITY_MAX}
            required
            defaultValue={refused?.quantity ?? "1"}
            className="w-full"
          />
          <Button type="submit" variant="primary" icon="cart" pending={busy} className="min-h-11 w-full">
            {t("shop.add")}
          </Button>
        </Form>
      )}
    </div>
  );
}

/** Whether what is chosen can be had, in words and with a sign. */
function State({ view: { state, product } }: { readonly view: ProductView }) {
  const { t } = useTranslation();
  const [icon, title, text, look] = (
    {
      in_stock: ["check", t("shop.available"), "", "text-success"],
      back_order: ["clock", t("shop.backOrder"), t("shop.backOrderText"), "text-warning"],
      sold_out: ["minus", t("errors.store.outOfStock"), "", "text-muted"],
      not_for_sale: [
        "minus",
        t("errors.store.notForSale"),
        product.subscriptionOnly ? t("shop.subscriptionText") : "",
        "text-muted",
      ],
      none: ["close", t("errors.store.noVariant"), t("shop.noVariantText"), "text-danger"],
    } as const
  )[state];
  return (
    <div role="status" className="flex gap-2 text-sm">
      <Icon name={icon} className={look} />
      <div>
        <p className="font-semibold">{title}</p>
        {text && <p className="text-muted text-phrase">{text}</p>}
      </div>
    </div>
  );
}
