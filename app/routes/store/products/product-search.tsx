import { Form, useNavigate, useSearchParams, useSubmit } from "@remix-run/react";
import { Button } from "~/components/button";
import { SearchField } from "~/components/fields/search-field";
import { Icon } from "~/components/icon";
import { EVENT_PRODUCTS_MAX, STORE_SEARCH_MAX } from "~/domain/shared/limits";
import type { EventTag } from "~/domain/shared/model";
import type { StoreCard } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../../content/editor/editor-context";
import { listHref, listParams } from "../../content/editor/panels";
import { withProduct } from "../../content/items/untitled-tag";
import { findProducts } from "../settings/store-requests";
import { attachProduct, TAG_PRODUCT_FIELD_ID } from "./product-actions";
import { ProductSummary } from "./product-choice";

/**
 * The products that are chosen for a tag (or for the event if `tag` is null), and a function that chooses another one. `pick` returns false before
 * the editor has loaded; then the form of the product is submitted.
 */
export function useProductPick(tag: EventTag | null) {
  const navigate = useNavigate();
  const [searchParams] = useSearchParams();
  const { language } = useTranslation();
  const { editor, state, store } = useEditorView();
  const { products } = state.content.scene;
  const chosenIds = new Set(tag ? (tag.product ? [tag.product.id] : []) : products.map(({ id }) => id));
  const isFull = !tag && products.length >= EVENT_PRODUCTS_MAX;
  const pick = (card: StoreCard): boolean => {
    if (!editor) return false;
    const product = { id: card.id, title: card.title };
    store.attachedProducts.add(card);
    if (tag) {
      editor.run([{ op: "update_tag", id: tag.id, values: withProduct(tag, product, language) }]);
      navigate(`${listHref(searchParams, { tag: tag.id })}#${TAG_PRODUCT_FIELD_ID}`, {
        preventScrollReset: true,
      });
    } else editor.run([{ op: "update_scene", values: { products: attachProduct(products, product) } }]);
    return true;
  };
  return { chosenIds, isFull, pick };
}

export interface ProductSearchProps {
  /** Tag that receives a product; null when products are chosen for the event. */
  readonly tag: EventTag | null;
  /** The field's label, if it is visible. */
  readonly label?: string;
  /** Text of the picker's search. */
  readonly q?: string;
  /** Text of the button that opens the picker. */
  readonly submit: string;
  readonly takesFocus?: boolean;
}

/** Searches products of the store by their titles. The form opens the picker with the results, and scripts show them while the user types. */
export function ProductSearch({ tag, label, q = "", submit, takesFocus }: ProductSearchProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const submitForm = useSubmit();
  const [searchParams] = useSearchParams();
  const { eventId } = useEditorView();
  const { chosenIds, isFull, pick } = useProductPick(tag);
  const isSingle = tag !== null;
  return (
    <Form method="get" role="search" preventScrollReset>
      {[
        ...listParams(searchParams),
        ["pick", "product"] as const,
        ...(tag ? [["tag", tag.id] as const] : []),
      ].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchField
        key={q}
        name="find"
        label={label ?? t("store:pick.search")}
        placeholder={t("store:pick.search")}
        isLabelHidden={label === undefined}
        takesFocus={takesFocus}
        defaultValue={q}
        maxLength={STORE_SEARCH_MAX}
        emptyText={(text) =>
          text === "" ? t("store-visitors:states.noProducts") : t("store:pick.found", { q: text })
        }
        showAllLabel={t("store:pick.allResults")}
        find={async (text, signal) => {
          const { problem, ...results } = await findProducts(eventId, text, signal);
          return {
            options: results.products,
            hasMore: results.hasMore,
            problem: problem && message(problem),
          };
        }}
        toOption={(card: StoreCard) => {
          const isChosen = chosenIds.has(card.id);
          return {
            key: card.id,
            isDisabled: isChosen || isFull,
            content: (
              <>
                <ProductSummary card={card} />
                {isChosen && (
                  <span className="flex shrink-0 items-center gap-1 text-xs text-success">
                    <Icon name="check" size={16} />
                    {t(isSingle ? "store:pick.chosen" : "store:pick.added")}
                  </span>
                )}
              </>
            ),
          };
        }}
        onPick={(card) => {
          const { id, title } = card;
          if (!pick(card)) {
            const fields = { intent: "pick-product", product: toIdNumber(id), title };
            submitForm(
              { ...fields, ...(tag && { tagId: tag.id }) },
              { method: "post", preventScrollReset: true },
            );
          }
          return t(isSingle ? "store:pick.chosenThis" : "store:pick.addedThis", { title });
        }}
      >
        <Button type="submit">{submit}</Button>
      </SearchField>
    </Form>
  );
}
