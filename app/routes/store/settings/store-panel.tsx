import { Anchor } from "~/components/anchor";
import { Button, LinkButton } from "~/components/button";
import { cx } from "~/components/classes";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { EmptyState } from "~/components/status/states";
import { inLanguage } from "~/domain/shared/localized";
import type { StoreStatus } from "~/domain/store/store";
import { attachedProducts } from "~/domain/store/store-of";
import { SCENE_ID } from "~/features/content/editor/content";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { ConflictNotice } from "../../content/drafts/conflict-notice";
import type { ContentOutcome } from "../../content/editor/content-post.server";
import { useEditorView } from "../../content/editor/editor-context";
import { panelHref } from "../../content/editor/panels";
import { EventProducts } from "../products/event-products";
import { lineId, needsLook, ProductLine, productTitle, StockMark } from "../products/product-parts";
import { ProductPickerPage } from "../products/product-picker";
import { ConnectedStore } from "./connected-store";
import type { ProductPicker } from "./store-read.server";

export interface StorePanelProps {
  readonly event: EventFormEvent;
  readonly picker: ProductPicker | null;
  readonly outcome: ContentOutcome | null;
  /** Last responses of the store; null for an event without one. */
  readonly status: StoreStatus | null;
  readonly timeZone: string;
}

/** Panel of the event's store: its connection, and the products of the event and of its tags with their states. */
export function StorePanel({ event, picker, outcome, status, timeZone }: StorePanelProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const { state, store } = useEditorView();
  const { content, conflicts } = state;
  if (picker) return <ProductPickerPage picker={picker} tag={null} outcome={outcome} />;
  const conflict = conflicts.find(({ id }) => id === SCENE_ID);
  const hasProducts = attachedProducts(content).length > 0;
  return (
    <section aria-labelledby="store-title" className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <h2 id="store-title" className="sr-only">
        {t("events:store")}
      </h2>
      {conflict && <ConflictNotice conflict={conflict} />}
      {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
      {store.isConnected ? <ConnectedStore {...{ event, status, timeZone }} /> : <HowTo />}
      {(store.isConnected || hasProducts) && (
        <>
          {store.isConnected && hasProducts && <Checked />}
          <EventProducts />
          <TagProducts />
        </>
      )}
    </section>
  );
}

/** Explains that a store is connected in the event's settings. */
function HowTo() {
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
      <ol className="mt-2 grid list-decimal gap-1 pl-6 text-left">
        {(["address", "enter", "test"] as const).map((step) => (
          <li key={step}>{t(`store:howTo.${step}`)}</li>
        ))}
      </ol>
    </EmptyState>
  );
}

/** Result of the check of the attached products, once the store has responded. */
function Checked() {
  const { t } = useTranslation();
  const { store, state, editor } = useEditorView();
  const { known, state: checked } = store.attached;
  const { tags, scene } = state.content;
  const problems = attachedProducts(state.content).flatMap((product) => {
    const shown = known.get(product.id);
    if (!shown || !needsLook(shown.state)) return [];
    const tag = tags.find((each) => each.product?.id === product.id);
    const isOfEvent = scene.products.some(({ id }) => id === product.id);
    const href = tag && !isOfEvent ? panelHref("tags", { tag: tag.id }) : `#${lineId(product.id)}`;
    return [{ ...shown, title: productTitle(product, shown, t), href }];
  });
  return (
    <>
      {!editor && checked === "idle" && (
        <noscript>
          <LinkButton href={panelHref("store", { check: "1" })} icon="retry" className="w-fit">
            {t("store:check")}
          </LinkButton>
        </noscript>
      )}
      {/* The live region is always mounted, so that screen readers announce its text. */}
      <div role="status" data-checked={checked} className="empty:sr-only">
        {checked === "asking" && <p className="text-sm text-muted">{t("store:checking")}</p>}
        {checked === "unknown" && <Notice>{t("store:notChecked")}</Notice>}
        {problems.length > 0 && (
          <details className="rounded border border-warning/40 bg-warning/6 text-sm">
            <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-4 py-2 [&::-webkit-details-marker]:hidden">
              <Icon name="warning" className="text-warning" />
              <span className="flex-1 font-semibold">{t("store:problems", { count: problems.length })}</span>
              <Icon
                name="chevron-down"
                size={16}
                className="shrink-0 text-muted [details[open]>summary>&]:rotate-180"
              />
            </summary>
            <p className="px-4 text-phrase">{t("store:problemsText")}</p>
            <ul className="grid gap-1 p-4 pt-2">
              {problems.map(({ id, title, href, state: stock, soldOut }) => (
                <li key={id} className="flex flex-wrap items-baseline gap-x-3 text-xs">
                  <a
                    href={href}
                    className="inline-flex min-h-6 items-center text-sm underline underline-offset-4 [overflow-wrap:anywhere]"
                  >
                    {title}
                  </a>
                  <StockMark state={stock} soldOut={soldOut} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </>
  );
}

/** Starts to place a new tag in the space, whose product is chosen next. Without scripts or without the space a tag is created in its form first. */
function PlaceProduct() {
  const { t } = useTranslation();
  const { editor, store, canPlace, placing, onPlacing } = useEditorView();
  if (!store.isConnected) return null;
  const isPlacing = placing?.type === "new";
  const link = (
    <LinkButton icon="plus" href={panelHref("tags", { tag: "new" })} className="w-fit">
      {t("store:place")}
    </LinkButton>
  );
  if (!canPlace) return link;
  return (
    <>
      <Button
        icon="place"
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
  const sold = tags.filter(({ product }) => product !== null);
  return (
    <section aria-labelledby="tag-products" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 id="tag-products" className="text-base font-semibold">
        {t("store:ofTags")}
      </h3>
      <PlaceProduct />
      {sold.length === 0 ? (
        <p className="text-sm text-muted text-phrase">{t("store:noneOfTags")}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {sold.map(
            ({ id, title, product }) =>
              product && (
                <li key={id} className="flex items-center gap-3 py-2">
                  <ProductLine
                    product={product}
                    title={
                      <Anchor
                        href={panelHref("tags", { tag: id })}
                        keepScroll
                        className="inline-flex min-h-6 items-center font-semibold text-ink underline-offset-4 hover:underline"
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
