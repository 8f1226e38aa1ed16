import { Form } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Button, LinkButton } from "~/components/button";
import { cx } from "~/components/cx";
import { Notice } from "~/components/status/notice";
import { EmptyState } from "~/components/status/states";
import { inLanguage } from "~/domain/shared/localized";
import { attachedProducts } from "~/domain/store/event-store";
import type { StoreStatus } from "~/domain/store/store";
import { USE_STORE } from "~/domain/store/store-connection";
import { SCENE_ID } from "~/features/content/editor/content";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useMessage } from "~/forms/shared/user-message";
import { StoreSteps } from "~/forms/store/store-fields";
import { useTranslation } from "~/i18n/translation";
import { ConflictNotice } from "../../content/drafts/conflict-notice";
import type { ContentOutcome } from "../../content/editor/content-post.server";
import { useEditorView } from "../../content/editor/editor-context";
import { panelHref } from "../../content/editor/panels";
import { EventProducts } from "../products/event-products";
import { ProductLine } from "../products/product-parts";
import { ProductPickerPage } from "../products/product-picker";
import { CheckedProducts } from "./checked-products";
import { ConnectedStore } from "./connected-store";
import type { OwnStoreRow } from "./own-stores.server";
import type { ProductPicker } from "./store-read.server";

export interface StorePanelProps {
  readonly event: EventFormEvent;
  readonly picker: ProductPicker | null;
  readonly outcome: ContentOutcome | null;
  /** Last responses of the store; null for an event without one. */
  readonly status: StoreStatus | null;
  readonly timeZone: string;
  /** Stores of the user's other events; empty for an event with a store. */
  readonly ownStores: readonly OwnStoreRow[];
}

/** Panel of the event's store: its connection, and the products of the event and of its tags with their states. */
export function StorePanel({ event, picker, outcome, status, timeZone, ownStores }: StorePanelProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const { state, store } = useEditorView();
  const { content, conflicts } = state;
  if (picker) return <ProductPickerPage picker={picker} tag={null} outcome={outcome} />;
  const conflict = conflicts.find(({ id }) => id === SCENE_ID);
  const hasProducts = attachedProducts(content).length > 0;
  return (
    <section aria-labelledby="store-title" className="grid grid-cols-1 gap-8">
      <h2 id="store-title" className="sr-only">
        {t("events:store")}
      </h2>
      {conflict && <ConflictNotice conflict={conflict} />}
      {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
      {store.isConnected ? (
        <ConnectedStore event={event} status={status} timeZone={timeZone} />
      ) : ownStores.length > 0 ? (
        <OwnStores stores={ownStores} />
      ) : (
        <ConnectionSteps />
      )}
      {(store.isConnected || hasProducts) && (
        <>
          {store.isConnected && hasProducts && <CheckedProducts />}
          <EventProducts />
          <TagProducts />
        </>
      )}
    </section>
  );
}

/** Steps for connecting the first store. */
function ConnectionSteps() {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon="cart"
      title={t("content:store.none")}
      action={
        <LinkButton href={`${panelHref("store")}#event-store`} variant="primary">
          {t("content:store.connect")}
        </LinkButton>
      }
    >
      <StoreSteps />
    </EmptyState>
  );
}

/** Stores of the user's other events, each with a button that connects it to this event. */
function OwnStores({ stores }: { readonly stores: readonly OwnStoreRow[] }) {
  const { t } = useTranslation();
  const { hasUnsavedSettings } = useEditorView();
  return (
    <section aria-labelledby="own-stores" className="grid grid-cols-1 gap-3">
      <h3 id="own-stores" className="text-base font-semibold">
        {t("content:store.own")}
      </h3>
      {hasUnsavedSettings && (
        <p className="text-sm text-muted text-phrase">{t("content:store.ownUnsaved")}</p>
      )}
      <Form method="post">
        <input type="hidden" name="intent" value={USE_STORE} />
        <ul className="ruled">
          {stores.map(({ eventId, eventName, host }) => (
            <li key={host} className="flex items-center gap-3 py-2">
              <div className="min-w-0 flex-1 text-sm wrap-anywhere">
                <p className="font-semibold">{host}</p>
                <p className="text-muted">{t("content:store.ownConnectedTo", { name: eventName })}</p>
              </div>
              <Button
                type="submit"
                variant={stores.length === 1 ? "primary" : "secondary"}
                name="from"
                value={eventId}
                // Connecting a store saves the event, which would reset a form with unsaved changes.
                disabled={hasUnsavedSettings}
                aria-label={t("content:store.ownUseNamed", { store: host })}
              >
                {t("content:store.ownUse")}
              </Button>
            </li>
          ))}
        </ul>
      </Form>
    </section>
  );
}

/** Starts placing a new tag in the space; its product is chosen next. Without scripts, or if no point of the space can be chosen, it opens the form of a new tag. */
function PlaceProduct() {
  const { t } = useTranslation();
  const { editor, store, canPlace, placing, onPlacing } = useEditorView();
  if (!store.isConnected) return null;
  const isPlacing = placing?.type === "new";
  const link = (
    <LinkButton icon="plus" href={panelHref("tags", { tag: "new", from: "store" })} className="w-fit">
      {t("store:place")}
    </LinkButton>
  );
  if (!canPlace) return link;
  return (
    <>
      <Button
        icon="place"
        // `editor` is null until it has loaded.
        className={cx("needs-script w-fit", !editor && "invisible")}
        aria-pressed={isPlacing}
        onClick={() => onPlacing(isPlacing ? null : { type: "new", picks: "product" })}
      >
        {t("store:place")}
      </Button>
      <noscript>{link}</noscript>
    </>
  );
}

/** Tags that have a product, each with a link to its form. */
function TagProducts() {
  const { t, language } = useTranslation();
  const { tags } = useEditorView().state.content;
  const tagsWithProduct = tags.filter(({ product }) => product !== null);
  return (
    <section aria-labelledby="tag-products" className="grid grid-cols-1 gap-3">
      <h3 id="tag-products" className="text-base font-semibold">
        {t("store:ofTags")}
      </h3>
      <PlaceProduct />
      {tagsWithProduct.length === 0 ? (
        <p className="text-sm text-muted text-phrase">{t("store:noneOfTags")}</p>
      ) : (
        <ul className="ruled">
          {tagsWithProduct.map(
            ({ id, title, product }) =>
              product && (
                <li key={id} className="flex items-center gap-3 py-2">
                  <ProductLine
                    product={product}
                    title={
                      <Anchor
                        href={panelHref("tags", { tag: id })}
                        keepScroll
                        className="inline-flex min-h-6 items-center font-semibold text-ink hover:underline"
                      >
                        {inLanguage(title, language).text || t("content:untitled")}
                      </Anchor>
                    }
                  />
                </li>
              ),
          )}
        </ul>
      )}
    </section>
  );
}
