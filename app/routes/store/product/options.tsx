import { Icon } from "~/components/icon";
import type { OptionChoice, ProductView } from "~/domain/store/store";
import { canBuy } from "~/domain/store/store-options";
import { useTranslation } from "~/i18n/translation";
import { ShopLink } from "../storefront/shop-link";
import { useShopLinks } from "../storefront/use-shop-links";
import { choiceLink } from "./choice-link";

/**
 * Options of a product: each value is a link to the selection with that value. Values without a variant and values that are sold out have
 * different styles and texts, and both can be selected, because otherwise the other options could not be changed.
 */
export function Options({ view }: { readonly view: ProductView }) {
  if (view.rows.length === 0) return null;
  return (
    <div className="grid gap-4">
      {view.rows.map((row, index) => (
        <section key={row.name} aria-labelledby={`option-${index}`} className="grid gap-2">
          <h2 id={`option-${index}`} className="text-sm font-semibold wrap-anywhere">
            {row.name}
          </h2>
          <ul className="flex flex-wrap gap-2">
            {row.choices.map((choice) => (
              <li key={choice.value}>
                <Choice choice={choice} product={view.product} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const STATE_CLASSES = {
  in_stock: "border-edge/65",
  back_order: "border-edge/65",
  sold_out: "border-line text-muted",
  not_for_sale: "border-line text-muted",
  none: "border-dashed border-edge/65 text-faint",
} as const;

function Choice({
  choice,
  product: { id, isLarge },
}: {
  readonly choice: OptionChoice;
  readonly product: ProductView["product"];
}) {
  const { t, language } = useTranslation();
  const links = useShopLinks();
  const { value, state, isSelected } = choice;
  const stateText = {
    in_stock: "",
    back_order: t("store-visitors:backOrder"),
    sold_out: t("store-visitors:states.outOfStock"),
    not_for_sale: t("store-visitors:states.notForSale"),
    none: t("store-visitors:choiceNone"),
  }[state];
  return (
    <ShopLink
      to={choiceLink(links, { id, isLarge, selection: choice.selection }, language)}
      preventScrollReset
      replace
      rel="nofollow"
      aria-current={isSelected ? "true" : undefined}
      title={stateText || undefined}
      className={`inline-flex min-h-10 min-w-10 items-center justify-center gap-1.5 rounded border px-3 text-sm no-underline hover:bg-surface aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:inset-ring aria-[current]:inset-ring-accent ${STATE_CLASSES[state]}`}
    >
      {state === "none" && <Icon name="close" size={16} />}
      {state === "back_order" && <Icon name="clock" size={16} />}
      <span className={`wrap-anywhere ${canBuy(state) || state === "none" ? "" : "line-through"}`}>
        {value}
      </span>
      {stateText && (
        <span className={state === "none" ? "sr-only" : "text-xs font-normal"}>
          <span className="sr-only">: </span>
          {stateText}
        </span>
      )}
    </ShopLink>
  );
}
