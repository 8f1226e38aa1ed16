import type { ReactNode } from "react";
import { Icon } from "~/components/icon";
import type { TagProduct } from "~/domain/shared/model";
import { isOnePrice } from "~/domain/store/event-store";
import type { AttachedProduct, AttachedState, StoreCard, StoreId } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import { formatMoney } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../../content/editor/editor-context";

/** Title of a product: its current one, the one that was saved when it was chosen, or its number. */
export const productTitle = (
  product: TagProduct,
  attached: AttachedProduct | undefined,
  t: Translate,
): string => attached?.title || product.title || t("store:nameless", { number: toIdNumber(product.id) });

/** Image of a product; an icon if there is none or if the product is unknown. */
export function ProductImage({ card }: { readonly card: StoreCard | null }) {
  if (!card?.image)
    return (
      <span className="flex size-12 shrink-0 items-center justify-center rounded-sm bg-surface text-muted">
        <Icon name="cart" />
      </span>
    );
  return (
    <img
      src={card.image}
      alt=""
      loading="lazy"
      width={48}
      height={48}
      className="size-12 shrink-0 rounded-sm bg-surface object-cover"
    />
  );
}

/** Price of a product: one price, or the lowest and the highest. */
export function Price({ card }: { readonly card: StoreCard }) {
  const { t, language } = useTranslation();
  const from = formatMoney(card.price.from, language);
  const to = formatMoney(card.price.to, language);
  return (
    <span className="tabular-nums">
      {isOnePrice(card.price) ? from : t("shared-owners:between", { from, to })}
    </span>
  );
}

/** Whether the state of a product needs the owner's attention. */
export const productNeedsAttention = (state: AttachedState): boolean =>
  state !== "in_stock" && state !== "back_order" && state !== "unknown";

/** State of a product in its store, with an icon if it needs attention. */
export function StockMark({ state, soldOut }: Pick<AttachedProduct, "state" | "soldOut">) {
  const { t } = useTranslation();
  const texts: Readonly<Record<AttachedState, string>> = {
    in_stock: t("store:state.in_stock"),
    some_sold_out: t("store:state.some_sold_out"),
    back_order: t("store:state.back_order"),
    sold_out: t("store-visitors:states.outOfStock"),
    not_for_sale: t("store-visitors:states.notForSale"),
    gone: t("store:errors.store.productGone"),
    unknown: "",
  };
  if (state === "unknown") return null;
  const isOk = !productNeedsAttention(state);
  return (
    <span className={isOk ? "text-muted" : "inline-flex items-start gap-1 text-warning"} data-stock={state}>
      {!isOk && <Icon name="warning" size={16} className="mt-[calc((1lh-1rem)/2)]" />}
      <span className="text-phrase">
        {texts[state]}
        {(state === "some_sold_out" || state === "back_order") &&
          soldOut.length > 0 &&
          t("store:someSoldOut", { variants: soldOut.join(t("shared-owners:listSeparator")) })}
      </span>
    </span>
  );
}

/** Element id of a product of the event on the store's panel. */
export const attachedElementId = (id: StoreId): string => `attached-${toIdNumber(id)}`;

/** Attached product (one of the event or of a tag) with its image, title, price and stock, if they are known. */
export function ProductLine({
  product,
  title,
}: {
  readonly product: TagProduct;
  /** First line, above the product's title; absent if the product's title is the first line. */
  readonly title?: ReactNode;
}) {
  const { t } = useTranslation();
  const attached = useEditorView().store.attachedProducts.byId.get(product.id);
  const name = productTitle(product, attached, t);
  return (
    <>
      <ProductImage card={attached?.card ?? null} />
      <span className="grid min-w-0 flex-1 text-sm">
        <span className="wrap-anywhere">{title ?? name}</span>
        {title && <span className="text-xs text-muted wrap-anywhere">{name}</span>}
        {attached && (
          <span className="flex flex-wrap gap-x-3 text-xs">
            {attached.card && <Price card={attached.card} />}
            <StockMark {...attached} />
          </span>
        )}
      </span>
    </>
  );
}
