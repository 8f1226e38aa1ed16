import { Form } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import { IconButton } from "~/components/button";
import { EVENT_PRODUCTS_MAX } from "~/domain/shared/limits";
import type { TagProduct } from "~/domain/shared/model";
import { toIdNumber } from "~/domain/store/store-ids";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../../content/editor/editor-context";
import {
  applyProductAction,
  PRODUCT_ACTIONS,
  type ProductAction,
  parseProductAction,
  productActionValue,
} from "./product-actions";
import { attachedElementId, ProductLine, productTitle } from "./product-parts";
import { ProductSearch } from "./product-search";

const ICONS = { up: "chevron-up", down: "chevron-down", out: "close" } as const;

/** Products of the event in their order. Without scripts the buttons submit a form. */
export function EventProducts() {
  const { t } = useTranslation();
  const { editor, state, store } = useEditorView();
  const { products } = state.content.scene;
  const list = useRef<HTMLOListElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const onSubmit = (event: FormEvent) => {
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const pressed = parseProductAction(submitter?.value ?? "");
    if (!editor || !pressed) return;
    event.preventDefault();
    const product = products.find(({ id }) => toIdNumber(id) === pressed.number);
    if (!product) return;
    const nextProducts = applyProductAction(products, pressed.action, product.id);
    editor.run([{ op: "update_scene", values: { products: nextProducts } }]);
    const title = productTitle(product, store.attachedProducts.byId.get(product.id), t);
    const index = nextProducts.indexOf(product) + 1;
    setAnnouncement(
      index === 0 ? "" : t("content:sceneEditor.tour.movedTo", { title, at: index, of: nextProducts.length }),
    );
    // The focus moves to the same button at the product's new position, after a removal to that of the first product. At the first and the last
    // position, one of the two buttons that move it is disabled; then the focus moves to the first enabled button.
    requestAnimationFrame(() => {
      const row = list.current?.children[Math.max(0, index === 0 ? 0 : index - 1)];
      const sameButton = row?.querySelector<HTMLButtonElement>(`button[value^="${pressed.action}~"]:enabled`);
      (sameButton ?? row?.querySelector<HTMLButtonElement>("button:enabled"))?.focus();
    });
  };
  return (
    <section aria-labelledby="event-products" className="grid grid-cols-1 gap-3">
      <div className="grid gap-1">
        <h3 id="event-products" className="text-base font-semibold">
          {t("store:ofEvent")}
        </h3>
        <p className="text-sm text-muted text-phrase">
          {t(products.length === 0 ? "store:noneOfEvent" : "store:ofEventText")}
        </p>
      </div>
      {!store.isConnected ? null : products.length < EVENT_PRODUCTS_MAX ? (
        <ProductSearch tag={null} label={t("store:pick.titleEvent")} submit={t("store:browse")} />
      ) : (
        <p className="text-sm text-muted text-phrase">{t("store:full")}</p>
      )}
      {products.length > 0 && (
        <Form method="post" onSubmit={onSubmit} preventScrollReset aria-labelledby="event-products">
          <input type="hidden" name="intent" value="products" />
          <ol ref={list} id="list" tabIndex={-1} className="ruled">
            {products.map((product, index) => (
              <li
                key={product.id}
                id={attachedElementId(product.id)}
                data-row=""
                className="flex scroll-mt-32 items-center gap-3 py-2"
              >
                <ProductLine product={product} />
                <ActionButtons
                  product={product}
                  isFirst={index === 0}
                  isLast={index === products.length - 1}
                />
              </li>
            ))}
          </ol>
        </Form>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </section>
  );
}

/** Buttons that move or remove a product. `data-reveal` shows them only while the row (`data-row`) has the pointer or the focus (styles.css). */
function ActionButtons({
  product,
  isFirst,
  isLast,
}: {
  readonly product: TagProduct;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}) {
  const { t } = useTranslation();
  const { store } = useEditorView();
  const title = productTitle(product, store.attachedProducts.byId.get(product.id), t);
  const isDisabled: Readonly<Record<ProductAction, boolean>> = { up: isFirst, down: isLast, out: false };
  return (
    <span data-reveal="" className="flex shrink-0">
      {PRODUCT_ACTIONS.map((action) => (
        <IconButton
          key={action}
          type="submit"
          name="do"
          value={productActionValue(action, product.id)}
          icon={ICONS[action]}
          disabled={isDisabled[action]}
          label={t(`store:${action}`, { title })}
        />
      ))}
    </span>
  );
}
