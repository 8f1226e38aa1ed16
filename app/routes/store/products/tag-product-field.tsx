import { useLocation, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { FieldErrorList } from "~/components/fields/field";
import type { TagProduct, Uuid } from "~/domain/shared/model";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../../content/editor/editor-context";
import { listHref, panelHref } from "../../content/editor/panels";
import { TAG_PRODUCT_FIELD_ID } from "./product-actions";
import { ProductLine, productTitle } from "./product-parts";

export interface TagProductFieldProps {
  /** Id and title as form values; empty for none. */
  readonly product: TagProduct;
  /** Null for a tag that is still to be created. */
  readonly tagId: Uuid | null;
  readonly errors?: readonly string[];
  readonly onRemove: () => void;
}

/** Product of a tag. Without scripts its buttons submit the form of the tag; `then` names the page that follows. */
export function TagProductField({ product, tagId, errors, onRemove }: TagProductFieldProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const navigate = useNavigate();
  const [searchParams] = useSearchParams();
  const { editor, store } = useEditorView();
  const { hash } = useLocation();
  const field = useRef<HTMLFieldSetElement>(null);
  const hasProduct = product.id !== "";
  const wasJustChosen = hasProduct && hash === `#${TAG_PRODUCT_FIELD_ID}`;
  useEffect(() => {
    if (!wasJustChosen) return;
    const group = field.current?.closest("details");
    if (group) group.open = true;
    field.current?.scrollIntoView({ block: "center" });
    field.current?.querySelector<HTMLButtonElement>("button")?.focus({ preventScroll: true });
  }, [wasJustChosen]);
  return (
    <fieldset ref={field} id={TAG_PRODUCT_FIELD_ID} className="grid scroll-mt-32 gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{t("store:product.label")}</legend>
      <input type="hidden" name="product.id" value={product.id} />
      <input type="hidden" name="product.title" value={product.title} />
      {hasProduct ? (
        <div className="flex items-center gap-3 border-y border-line py-2">
          <ProductLine product={product} />
        </div>
      ) : (
        store.isConnected && <p className="text-sm text-muted text-phrase">{t("store:product.none")}</p>
      )}
      <p role="status" className="text-sm text-success text-phrase empty:sr-only">
        {wasJustChosen &&
          t("store:product.chosen", {
            title: productTitle(product, store.attachedProducts.byId.get(product.id), t),
          })}
      </p>
      <FieldErrorList error={errors?.map(message)} />
      {!store.isConnected && (
        <p className="text-sm text-muted text-phrase">
          {t(hasProduct ? "store:product.noStore" : "store:product.noStoreNone")}
        </p>
      )}
      <ButtonRow>
        {store.isConnected && tagId && (
          <Button
            type="submit"
            name="then"
            value="pick-product"
            icon={hasProduct ? undefined : "plus"}
            onClick={(event) => {
              if (!editor) return;
              event.preventDefault();
              editor.flush();
              navigate(listHref(searchParams, { tag: tagId, pick: "product" }), { preventScrollReset: true });
            }}
          >
            {t(hasProduct ? "store:product.change" : "store:product.choose")}
          </Button>
        )}
        {hasProduct && (
          <Button
            type="submit"
            name="product-out"
            value="1"
            variant="quiet"
            icon="close"
            onClick={(event) => {
              if (!editor) return;
              event.preventDefault();
              onRemove();
            }}
          >
            {t("store:product.remove")}
          </Button>
        )}
        {!store.isConnected && (
          <LinkButton href={panelHref("store")} variant="quiet" keepScroll>
            {t("store:product.connect")}
          </LinkButton>
        )}
      </ButtonRow>
      {store.isConnected && !tagId && (
        <p className="text-xs text-muted text-phrase">{t("store:product.later")}</p>
      )}
    </fieldset>
  );
}
