import { Form, useSearchParams } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { CursorPager } from "~/components/cursor-pager";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/status/notice";
import { PRODUCT_PAGE_SIZE } from "~/domain/shared/limits";
import { inLanguage } from "~/domain/shared/localized";
import type { EventTag } from "~/domain/shared/model";
import type { StoreCard } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import { useMessage } from "~/forms/shared/user-message";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { ContentOutcome } from "../../content/editor/content-post.server";
import { listHref } from "../../content/editor/panels";
import type { ProductPicker } from "../settings/store-read.server";
import { productElementId } from "./product-actions";
import { ProductChoiceRow } from "./product-choice";
import { ProductSearch, useProductPick } from "./product-search";

export interface ProductPickerProps {
  readonly picker: ProductPicker;
  /** Tag that receives a product; null when products are chosen for the event. */
  readonly tag: EventTag | null;
  readonly outcome: ContentOutcome | null;
}

/** Chooses products of the store: one for a tag, or several for the event. Each choice is a form. */
export function ProductPickerPage({ picker, tag, outcome }: ProductPickerProps) {
  const { t, language } = useTranslation();
  const message = useMessage();
  const [searchParams] = useSearchParams();
  const [announcement, setAnnouncement] = useState("");
  const { chosenIds, isFull, pick } = useProductPick(tag);
  const { q, page, at, problem, isNoPage } = picker;
  const backHref = listHref(searchParams, tag ? { tag: tag.id } : {});
  const pickerHref = (params: Readonly<Record<string, string>> = {}) =>
    listHref(searchParams, { ...(tag && { tag: tag.id }), pick: "product", ...params });
  const onPick = (card: StoreCard) => (event: FormEvent) => {
    if (!pick(card)) return;
    event.preventDefault();
    if (!tag) setAnnouncement(t("store:pick.addedThis", { title: card.title }));
  };
  const count = page.products.length;
  const container = useRef<HTMLDivElement>(null);
  const firstProductId = page.products[0]?.id;
  // The panel would keep the scroll position of the previous page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another first product is another page
  useEffect(() => {
    container.current?.scrollIntoView({ block: "start" });
  }, [firstProductId]);
  const pageHref = (cursor: "after" | "before", value: string | null) => {
    if (value === null) return null;
    const linkedAt =
      at === null ? null : cursor === "after" ? at + count : Math.max(at - PRODUCT_PAGE_SIZE, 0);
    return pickerHref({
      ...(q !== "" && { find: q }),
      [cursor]: value,
      ...(linkedAt !== null && { at: String(linkedAt) }),
    });
  };
  const renderPager = (label: string) => (
    <CursorPager
      firstHref={null}
      previousHref={pageHref("before", page.previous)}
      nextHref={pageHref("after", page.next)}
      lastHref={null}
      total={null}
      label={label}
      place={positionText(t, picker)}
    />
  );
  return (
    <div ref={container} className="grid scroll-mt-32 grid-cols-1 gap-5">
      <div>
        <Anchor
          href={backHref}
          keepScroll
          className="inline-flex min-h-10 items-center gap-2 text-sm text-muted hover:underline"
        >
          <Icon name="arrow-left" size={16} />
          {t(tag ? "content:backTo.form" : "store:pick.back")}
        </Anchor>
        <h2 className="text-lg leading-title font-semibold">
          {t(tag ? "store:pick.title" : "store:pick.titleEvent")}
        </h2>
        {tag && <p className="text-sm text-muted">{inLanguage(tag.title, language).text}</p>}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
      <ProductSearch tag={tag} q={q} submit={t("store:pick.submit")} takesFocus />
      {problem !== null ? (
        <Notice tone="warning" title={message(problem)}>
          {isNoPage ? (
            <LinkButton
              href={pickerHref(q === "" ? {} : { find: q })}
              variant="quiet"
              className="mt-2 -ml-3"
              keepScroll
            >
              {t("store:pick.first")}
            </LinkButton>
          ) : (
            <LinkButton href={`?${searchParams}`} variant="quiet" icon="retry" className="mt-2 -ml-3" reload>
              {t("store:pick.retry")}
            </LinkButton>
          )}
        </Notice>
      ) : page.products.length === 0 ? (
        <div className="grid gap-2 text-sm text-muted">
          <p className="text-phrase">
            {q === "" ? t("store-visitors:states.noProducts") : t("store:pick.found", { q })}
          </p>
          {q !== "" && (
            <LinkButton href={pickerHref()} variant="quiet" className="-ml-3 w-fit" keepScroll>
              {t("store:pick.all")}
            </LinkButton>
          )}
        </div>
      ) : (
        <>
          {isFull && <Notice>{t("store:full")}</Notice>}
          {renderPager(t("shared-owners:pages"))}
          <ul id="list" tabIndex={-1} aria-label={t("store:products")} className="ruled">
            {page.products.map((card) => (
              <li key={card.id} id={productElementId(card.id)} className="scroll-mt-32">
                <Form
                  method="post"
                  onSubmit={onPick(card)}
                  preventScrollReset
                  className="flex items-center gap-3 py-2"
                >
                  <input type="hidden" name="intent" value="pick-product" />
                  {tag && <input type="hidden" name="tagId" value={tag.id} />}
                  <input type="hidden" name="product" value={toIdNumber(card.id)} />
                  <input type="hidden" name="title" value={card.title} />
                  <ProductChoiceRow
                    card={card}
                    isChosen={chosenIds.has(card.id)}
                    isSingle={tag !== null}
                    isFull={isFull}
                  />
                </Form>
              </li>
            ))}
          </ul>
          {renderPager(t("store:pick.pagesBelow"))}
        </>
      )}
    </div>
  );
}

/** Positions of the page's products in the list. The store returns no total, so only the last page shows it. */
function positionText(t: Translate, { page, at }: ProductPicker): string {
  const count = page.products.length;
  if (count === 0) return "";
  if (at === null) return t("store:pick.here", { count });
  const range = { from: at + 1, to: at + count };
  if (page.next !== null) return t("store:pick.range", range);
  return at === 0
    ? t("shared-owners:total", { count })
    : t("shared-owners:range", { ...range, total: range.to });
}
