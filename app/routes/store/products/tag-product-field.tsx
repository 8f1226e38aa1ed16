import { useNavigate, useSearchParams } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { FieldErrorList } from "~/components/fields/field";
import type { TagProduct, Uuid } from "~/domain/shared/model";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../../content/editor/editor-context";
import { listHref, panelHref } from "../../content/editor/panels";
import { ProductLine } from "./product-parts";

export interface TagProductFieldProps {
  /** Id and title as form values; empty for none. */
  readonly product: TagProduct;
  /** Null for a tag that is still to be created. */
  readonly tagId: Uuid | null;
  readonly errors?: readonly string[];
  readonly onRemove: () => void;
}

/** Product of a tag. Without scripts its buttons submit the whole form. */
export function TagProductField({ product, tagId, errors, onRemove }: TagProductFieldProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { editor, store } = useEditorView();
  const has = product.id !== "";
  return (
    <fieldset id="tag-product" className="grid gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{t("store:product.label")}</legend>
      <input type="hidden" name="product.id" value={product.id} />
      <input type="hidden" name="product.title" value={product.title} />
      {has ? (
        <div className="flex items-center gap-3 border-y border-line py-2">
          <ProductLine product={product} />
        </div>
      ) : (
        store.isConnected && <p className="text-sm text-muted text-phrase">{t("store:product.none")}</p>
      )}
      <FieldErrorList error={errors?.map(message)} />
      {!store.isConnected && (
        <p className="text-sm text-muted text-phrase">
          {t(has ? "store:product.noStore" : "store:product.noStoreNone")}
        </p>
      )}
      <ButtonRow>
        {store.isConnected && tagId && (
          <Button
            type="submit"
            name="then"
            value="pick-product"
            icon={has ? undefined : "plus"}
            onClick={(event) => {
              if (!editor) return;
              event.preventDefault();
              editor.flush();
              navigate(listHref(search, { tag: tagId, pick: "product" }), { preventScrollReset: true });
            }}
          >
            {t(has ? "store:product.change" : "store:product.choose")}
          </Button>
        )}
        {has && (
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
