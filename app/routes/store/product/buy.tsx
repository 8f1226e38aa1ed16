import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { NumberField } from "~/components/fields/number-field";
import { Icon } from "~/components/icon";
import { CART_QUANTITY_MAX } from "~/domain/shared/limits";
import type { ProductView } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import { canBuy } from "~/domain/store/store-options";
import { formatMoney } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import { Age } from "../shared/age";
import { useShopLinks } from "../storefront/use-shop-links";
import { choiceLink } from "./choice-link";
import { type RejectedVariants, SeveralVariants } from "./several";

/** Rejected form that adds one variant to the cart. */
export interface RejectedPurchase {
  readonly state: "rejected";
  /** Value as typed. */
  readonly quantity: string;
  readonly errors: { readonly quantity?: string; readonly form?: string };
}

/** Price and stock of the selected variant, and the form that adds it to the cart. */
export function Buy({
  view,
  check,
  rejected,
}: {
  readonly view: ProductView;
  readonly check: StockCheck;
  readonly rejected: RejectedPurchase | RejectedVariants | null;
}) {
  const { t, language } = useTranslation();
  const navigation = useNavigation();
  // Until the next page is displayed, a second click would add the variant twice.
  const busy = navigation.state !== "idle" && navigation.formMethod === "POST";
  const { variant, state, product } = view;
  const links = useShopLinks();
  const rejectedPurchase = rejected?.state === "rejected" ? rejected : null;
  const action = choiceLink(
    links,
    { id: product.id, isLarge: product.isLarge, selection: view.selection },
    language,
  );
  const isPurchasable = variant !== null && canBuy(state) && !links.isPreview;
  const price = variant && (
    <p className="-order-1 text-lg font-semibold tabular-nums max-lg:portrait:order-none max-lg:portrait:self-center">
      <span className="sr-only">{t("store-visitors:price")}: </span>
      {formatMoney(variant.price, language)}
    </p>
  );
  return (
    // The class `contents` removes the box of an element from the layout. On an upright phone it is this element, so that the form stays at the page's
    // bottom. Elsewhere it is the form, so that the price is above the stock.
    <div className="grid gap-4 border-y border-line py-5 max-lg:portrait:contents">
      {!isPurchasable && price}
      <StockText view={view} check={check} />
      <Age respondedAt={product.respondedAt} />
      {rejectedPurchase && (
        <FormErrorSummary
          errors={[
            ...(rejectedPurchase.errors.form ? [{ id: "", message: rejectedPurchase.errors.form }] : []),
            ...(rejectedPurchase.errors.quantity
              ? [
                  {
                    id: "quantity",
                    label: t("store-visitors:quantity"),
                    message: rejectedPurchase.errors.quantity,
                  },
                ]
              : []),
          ]}
          title={null}
          hint={null}
        />
      )}
      {isPurchasable && (
        <Form
          method="post"
          action={action}
          className="contents gap-3 max-lg:portrait:sticky max-lg:portrait:grid max-lg:portrait:bottom-0 max-lg:portrait:z-10 max-lg:portrait:-mx-5 max-lg:portrait:grid-cols-[auto_5rem_minmax(0,1fr)] max-lg:portrait:items-end max-lg:portrait:border-t max-lg:portrait:border-line max-lg:portrait:bg-raised max-lg:portrait:px-5 max-lg:portrait:py-3 sm:max-lg:portrait:-mx-6 sm:max-lg:portrait:px-6"
        >
          {price}
          <input type="hidden" name="variant" value={toIdNumber(variant.id)} />
          <NumberField
            name="quantity"
            label={t("store-visitors:quantity")}
            error={rejectedPurchase?.errors.quantity}
            min={1}
            max={CART_QUANTITY_MAX}
            defaultValue={rejectedPurchase?.quantity ?? "1"}
          />
          <Button
            type="submit"
            variant="primary"
            icon="cart"
            pending={busy}
            className="-mt-1 min-h-11 max-lg:portrait:mt-0"
          >
            {t(busy ? "store-visitors:adding" : "store-visitors:add")}
          </Button>
          <p role="status" className="sr-only">
            {busy && t("store-visitors:adding")}
          </p>
        </Form>
      )}
      {!links.isPreview && (
        <SeveralVariants
          view={view}
          action={action}
          rejected={rejected?.state === "several" ? rejected : null}
        />
      )}
    </div>
  );
}

/** State of the check of a variant's stock: not needed or completed, in progress, or failed. */
export type StockCheck = "none" | "under_way" | "failed";

/** Stock of the selected variant as text with an icon. */
function StockText({
  view: { state, product },
  check,
}: {
  readonly view: ProductView;
  readonly check: StockCheck;
}) {
  const { t } = useTranslation();
  const [icon, title, text, className] = (
    {
      in_stock: ["check", t("store-visitors:available"), "", "text-success"],
      back_order: ["clock", t("store-visitors:backOrder"), t("store-visitors:backOrderText"), "text-warning"],
      sold_out: ["minus", t("store-visitors:states.outOfStock"), "", "text-muted"],
      not_for_sale: [
        "minus",
        t("store-visitors:states.notForSale"),
        product.subscriptionOnly ? t("store-visitors:subscriptionText") : "",
        "text-muted",
      ],
      none: ["close", t("store-visitors:states.noVariant"), t("store-visitors:noVariantText"), "text-danger"],
    } as const
  )[state];
  return (
    <div role="status" className="flex gap-2 text-sm">
      <Icon name={icon} className={className} />
      <div>
        <p className="font-semibold">{title}</p>
        {text && <p className="text-muted text-phrase">{text}</p>}
        {check !== "none" && (
          <p className="text-muted">
            {t(check === "failed" ? "store-visitors:notChecked" : "store-visitors:checking")}
          </p>
        )}
      </div>
    </div>
  );
}
