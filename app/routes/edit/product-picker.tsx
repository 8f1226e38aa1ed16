import { Form, useNavigate, useSearchParams } from "@remix-run/react";
import type { FormEvent } from "react";
import { Anchor } from "~/components/anchor";
import { Button, LinkButton } from "~/components/button";
import { CursorPager } from "~/components/cursor-pager";
import { Icon } from "~/components/icon";
import { Notice } from "~/components/notice";
import { EVENT_PRODUCTS_MAX, STORE_SEARCH_MAX } from "~/domain/limits";
import { inLanguage } from "~/domain/localized";
import type { EventTag } from "~/domain/model";
import type { StoreCard } from "~/domain/store";
import { numberOf } from "~/domain/store-ids";
import { useMessage } from "~/forms/words";
import { useTranslation } from "~/i18n/use-translation";
import type { ContentOutcome } from "./content-post.server";
import { useEditorView } from "./editor-context";
import { listHref, listParams } from "./panels";
import { withProduct } from "./product-acts";
import { Price, ProductPicture, StockMark } from "./product-parts";
import type { ProductPicker } from "./store-read.server";

export interface ProductPickerProps {
  readonly picker: ProductPicker;
  /** The tag that is to get a product; null when they are for the event. */
  readonly tag: EventTag | null;
  readonly outcome: ContentOutcome | null;
}

/** Chooses products of the store: one for a tag, or several for the event. Every choice is a form. */
export function ProductPickerPage({ picker, tag, outcome }: ProductPickerProps) {
  const { t, language } = useTranslation();
  const message = useMessage();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { editor, state, store } = useEditorView();
  const { products } = state.content.scene;
  const { q, page, problem } = picker;
  const chosen = new Set(tag ? (tag.product ? [tag.product.id] : []) : products.map(({ id }) => id));
  const isFull = !tag && products.length >= EVENT_PRODUCTS_MAX;
  const back = listHref(search, tag ? { tag: tag.id } : {});
  const here = (more: Readonly<Record<string, string>> = {}) =>
    listHref(search, { ...(tag && { tag: tag.id }), pick: "product", ...more });
  const onPick = (card: StoreCard) => (event: FormEvent) => {
    if (!editor) return;
    event.preventDefault();
    const product = { id: card.id, title: card.title };
    store.attached.remember(card);
    if (tag) {
      editor.run([{ op: "update_tag", id: tag.id, values: { product } }]);
      navigate(back, { preventScrollReset: true });
    } else editor.run([{ op: "update_scene", values: { products: withProduct(products, product) } }]);
  };
  const pageHref = (cursor: "after" | "before", value: string | null) =>
    value === null ? null : here({ ...(q !== "" && { find: q }), [cursor]: value });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <Anchor
          href={back}
          keepScroll
          className="inline-flex min-h-10 items-center gap-2 text-sm text-muted underline-offset-4 hover:underline"
        >
          <Icon name="arrow-left" size={16} />
          {t(tag ? "editor.backTo.form" : "storeEditor.pick.back")}
        </Anchor>
        <h2 className="text-lg leading-title font-semibold">
          {t(tag ? "storeEditor.pick.title" : "storeEditor.pick.titleEvent")}
        </h2>
        {tag && <p className="text-sm text-muted">{inLanguage(tag.title, language).text}</p>}
      </div>
      {outcome?.problem && <Notice tone="danger" title={message(outcome.problem)} live />}
      <Form method="get" role="search" preventScrollReset className="flex gap-2">
        {[
          ...listParams(search),
          ["pick", "product"] as const,
          ...(tag ? [["tag", tag.id] as const] : []),
        ].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input
          key={q}
          type="search"
          name="find"
          defaultValue={q}
          maxLength={STORE_SEARCH_MAX}
          aria-label={t("storeEditor.pick.search")}
          placeholder={t("storeEditor.pick.search")}
          className="control min-w-0 flex-1"
        />
        <Button type="submit">{t("storeEditor.pick.submit")}</Button>
      </Form>
      {problem !== null ? (
        <Notice tone="warning" title={message(problem)}>
          <LinkButton href={`?${search}`} variant="quiet" icon="retry" className="mt-2 -ml-3" reload>
            {t("storeEditor.pick.retry")}
          </LinkButton>
        </Notice>
      ) : page.products.length === 0 ? (
        <div className="grid gap-2 text-sm text-muted">
          <p className="text-phrase">
            {q === "" ? t("errors.store.noProducts") : t("storeEditor.pick.found", { q })}
          </p>
          {q !== "" && (
            <LinkButton href={here()} variant="quiet" className="-ml-3 w-fit" keepScroll>
              {t("storeEditor.pick.all")}
            </LinkButton>
          )}
        </div>
      ) : (
        <>
          {isFull && <Notice>{t("storeEditor.full")}</Notice>}
          <ul aria-label={t("storeEditor.products")} className="divide-y divide-line border-y border-line">
            {page.products.map((card) => (
              <li key={card.id}>
                <Form
                  method="post"
                  onSubmit={onPick(card)}
                  preventScrollReset
                  className="flex items-center gap-3 py-2"
                >
                  <input type="hidden" name="intent" value="pick-product" />
                  {tag && <input type="hidden" name="tagId" value={tag.id} />}
                  <input type="hidden" name="product" value={numberOf(card.id)} />
                  <input type="hidden" name="title" value={card.title} />
                  <Choice card={card} isChosen={chosen.has(card.id)} isOne={tag !== null} isFull={isFull} />
                </Form>
              </li>
            ))}
          </ul>
        </>
      )}
      <CursorPager
        firstHref={null}
        previousHref={pageHref("before", page.previous)}
        nextHref={pageHref("after", page.next)}
        lastHref={null}
        total={null}
      />
    </div>
  );
}

/** One product that can be chosen, with the button that does. */
function Choice({
  card,
  isChosen,
  isOne,
  isFull,
}: {
  readonly card: StoreCard;
  readonly isChosen: boolean;
  /** It takes the place of another one. */
  readonly isOne: boolean;
  readonly isFull: boolean;
}) {
  const { t } = useTranslation();
  const { title } = card;
  return (
    <>
      <ProductPicture card={card} />
      <span className="grid min-w-0 flex-1 text-sm">
        <span className="[overflow-wrap:anywhere]">{title}</span>
        <span className="flex flex-wrap gap-x-3 text-xs">
          <Price card={card} />
          <StockMark state={card.state} soldOut={[]} />
        </span>
      </span>
      {isChosen ? (
        <span className="inline-flex min-h-10 items-center gap-1 text-sm text-success">
          <Icon name="check" size={16} />
          {t(isOne ? "storeEditor.pick.chosen" : "storeEditor.pick.added")}
        </span>
      ) : (
        <Button
          type="submit"
          icon={isOne ? "check" : "plus"}
          disabled={isFull}
          aria-label={t(isOne ? "storeEditor.pick.chooseThis" : "storeEditor.pick.addThis", { title })}
        >
          {t(isOne ? "storeEditor.pick.choose" : "storeEditor.pick.add")}
        </Button>
      )}
    </>
  );
}
