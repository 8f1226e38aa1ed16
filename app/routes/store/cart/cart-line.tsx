import { Form, useNavigation } from "@remix-run/react";
import { Button, IconButton } from "~/components/button";
import { FieldErrorList, fieldIds } from "~/components/fields/field";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { CART_QUANTITY_MAX } from "~/domain/shared/limits";
import type { CartLine, RemovedItem } from "~/domain/store/store";
import { lineTitle } from "~/domain/store/store-cart";
import { toIdNumber } from "~/domain/store/store-ids";
import { hasVariantTitle, variantState } from "~/domain/store/store-options";
import { formatMoney } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import { choiceLink } from "../product/choice-link";
import { formatStock } from "../shared/format-stock";
import { StoreImage } from "../shared/store-image";
import { ShopLink } from "../storefront/shop-link";
import { useShopLinks } from "../storefront/use-shop-links";

/** Rejected form of the cart, which changes, removes or restores a line. */
export interface RejectedLine {
  readonly state: "rejected";
  /** Id of the line; empty if the form restores one. */
  readonly line: string;
  /** Value as typed. */
  readonly quantity: string;
  readonly errors: { readonly quantity?: string; readonly form?: string };
}

/** Line of the cart, with the forms that change and remove it. */
export function CartLineRow({
  line,
  id,
  rejected,
}: {
  readonly line: CartLine;
  readonly id: string;
  readonly rejected: RejectedLine | null;
}) {
  const { t, language } = useTranslation();
  const links = useShopLinks();
  const navigation = useNavigation();
  const busy = navigation.state !== "idle" && navigation.formMethod === "POST";
  const { variant, product, quantity } = line;
  const title = lineTitle(line);
  // The store sets the quantity of a sold-out line to 0.
  const stock = quantity === 0 ? "sold_out" : variantState(variant);
  const error = rejected?.errors.quantity;
  const ids = fieldIds(id, { error });
  // The form submits the line's data (`had` is its quantity), because the store no longer has them after the line's removal.
  const hiddenFields = (
    <>
      <input type="hidden" name="line" value={line.id} />
      <input type="hidden" name="variant" value={toIdNumber(variant.id)} />
      <input type="hidden" name="had" value={quantity} />
      <input type="hidden" name="title" value={title} />
    </>
  );
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 py-4">
      <StoreImage image={variant.image} alt="" sizes="4.5rem" className="aspect-square rounded" />
      <div className="grid content-start gap-1 text-sm">
        <ShopLink
          to={choiceLink(links, { ...product, selection: variant.selectedOptions }, language)}
          className="font-semibold no-underline wrap-anywhere hover:underline"
        >
          {product.title}
        </ShopLink>
        {hasVariantTitle(variant.title) && (
          <ul className="text-muted">
            {variant.selectedOptions.map(({ name, value }) => (
              <li key={name} className="wrap-anywhere">
                {name}: {value}
              </li>
            ))}
          </ul>
        )}
        <p className="flex flex-wrap justify-between gap-x-4 tabular-nums">
          <span className="text-muted">
            {t("store-visitors:each", { price: formatMoney(line.each, language) })}
          </span>
          <span className="font-semibold">{formatMoney(line.total, language)}</span>
        </p>
        {stock !== "in_stock" && (
          <p className="flex items-center gap-1.5 text-muted">
            <Icon name={stock === "back_order" ? "clock" : "minus"} size={16} />
            {formatStock(t, stock)}
          </p>
        )}
      </div>
      <div className="col-start-2 grid gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <Form method="post" action={links.cart} className="flex items-center gap-2">
            {hiddenFields}
            <input
              type="number"
              inputMode="numeric"
              name="quantity"
              min={0}
              max={CART_QUANTITY_MAX}
              defaultValue={rejected?.quantity ?? quantity}
              id={ids.id}
              aria-label={t("store-visitors:quantityOf", { title })}
              aria-describedby={ids.describedBy}
              aria-invalid={error ? true : undefined}
              className="control w-20 tabular-nums"
            />
            <Button
              type="submit"
              name="intent"
              value="update"
              pending={busy}
              aria-label={t("store-visitors:updateOf", { title })}
            >
              {t("store-visitors:update")}
            </Button>
          </Form>
          <Form method="post" action={links.cart} className="ml-auto">
            {hiddenFields}
            <IconButton
              type="submit"
              name="intent"
              value="remove"
              icon="trash"
              label={t("store-visitors:removeOf", { title })}
              disabled={busy}
            />
          </Form>
        </div>
        <FieldErrorList id={ids.errorId} error={error} />
      </div>
    </li>
  );
}

/** Reports a removed line, with a button that restores it. The button receives the focus, because the pressed button was removed with the line. */
export function RestoreLine({ removedItem }: { readonly removedItem: RemovedItem }) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const navigation = useNavigation();
  const { variantId, quantity, title } = removedItem;
  return (
    <Notice>
      <Form method="post" action={links.cart} className="flex flex-wrap items-center justify-between gap-2">
        <p id="taken-out" className="wrap-anywhere">
          {t("store-visitors:takenOut", { title })}
        </p>
        <input type="hidden" name="variant" value={toIdNumber(variantId)} />
        <input type="hidden" name="quantity" value={quantity} />
        <Button
          type="submit"
          name="intent"
          value="back"
          autoFocus
          pending={navigation.state !== "idle" && navigation.formMethod === "POST"}
          aria-label={t("store-visitors:putBackOf", { title })}
          aria-describedby="taken-out"
        >
          {t("store-visitors:putBack")}
        </Button>
      </Form>
    </Notice>
  );
}
