import { LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { attachedProducts } from "~/domain/store/event-store";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../../content/editor/editor-context";
import { panelHref } from "../../content/editor/panels";
import { attachedElementId, productNeedsAttention, productTitle, StockMark } from "../products/product-parts";

/** Result of the check of the attached products, once the store has responded. */
export function CheckedProducts() {
  const { t } = useTranslation();
  const { store, state, editor } = useEditorView();
  const { byId, state: checkState } = store.attachedProducts;
  const { tags, scene } = state.content;
  const problems = attachedProducts(state.content).flatMap((product) => {
    const attached = byId.get(product.id);
    if (!attached || !productNeedsAttention(attached.state)) return [];
    const tag = tags.find((candidate) => candidate.product?.id === product.id);
    const isOfEvent = scene.products.some(({ id }) => id === product.id);
    const href = tag && !isOfEvent ? panelHref("tags", { tag: tag.id }) : `#${attachedElementId(product.id)}`;
    return [{ ...attached, title: productTitle(product, attached, t), href }];
  });
  return (
    <>
      {/* `editor` is null without scripts, and until it has loaded. */}
      {!editor && checkState === "idle" && (
        <noscript>
          <LinkButton href={panelHref("store", { check: "1" })} icon="retry" className="w-fit">
            {t("store:check")}
          </LinkButton>
        </noscript>
      )}
      {/* The live region is always mounted, so that screen readers announce its text. */}
      <div role="status" data-checked={checkState} className="empty:sr-only">
        {checkState === "loading" && <p className="text-sm text-muted">{t("store:checking")}</p>}
        {checkState === "unknown" && <Notice>{t("store:notChecked")}</Notice>}
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
                  <a href={href} className="inline-flex min-h-6 items-center text-sm underline wrap-anywhere">
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
