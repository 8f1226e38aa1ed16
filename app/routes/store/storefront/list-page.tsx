import { Form, useLocation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Button } from "~/components/button";
import { controlProps, FieldErrorList, fieldIds } from "~/components/fields/field";
import { Icon } from "~/components/icon";
import { STORE_SEARCH_MAX } from "~/domain/shared/limits";
import type { StorePage } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";
import { useDeferredPartValue, useIsAppended } from "../../shared/deferred-part";
import type { StreamedResult } from "../shared/store-result";
import { EmptyResult, StoreResultPart, WaitingCards } from "../shared/store-result-part";
import { Cards, Pages } from "./cards";
import { Frame } from "./frame";
import { ShopLink } from "./shop-link";
import { useShopLinks } from "./use-shop-links";

export interface ListPageProps {
  /** Number of items in the cart; null if unknown. */
  readonly count: number | null;
  /** Search text as typed. */
  readonly q: string;
  /** Error message of the search. */
  readonly error: string | null;
  readonly result: StreamedResult<StorePage>;
}

/** One page of a shop's products, or of the results of a search. */
export default function ListPage({ count, q, error, result }: ListPageProps) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const { key } = useLocation();
  const settled = useDeferredPartValue(result);
  const hasResults = settled?.ok && q !== "";
  const hasMatches = hasResults && settled.value.products.length > 0;
  // Without scripts, a late result is appended to the document, and must state the search text itself.
  const isAppended = useIsAppended();
  // The first document is not a navigation, neither on the server nor in the browser. The location key would differ between the two.
  const isAfterNavigation = useNavigationType() !== "POP";
  return (
    <Frame page="products" cartCount={count}>
      <h1 className="text-lg leading-title font-semibold">{t("store-visitors:title")}</h1>
      <Search q={q} error={error} />
      {/* The live region is always mounted, so that screen readers announce the result of a search. A new document is read from its beginning. */}
      <p role="status" className="text-sm text-muted empty:absolute">
        {hasMatches && t("store-visitors:found", { query: q })}
        {hasResults && !hasMatches && isAfterNavigation && (
          <span className="sr-only">{t("store-visitors:states.noProducts")}</span>
        )}
      </p>
      <StoreResultPart key={key} result={result} placeholder={<WaitingCards />}>
        {(page) => (
          <div className="grid gap-6">
            {isAppended && q !== "" && page.products.length > 0 && (
              <p className="text-sm text-muted">{t("store-visitors:found", { query: q })}</p>
            )}
            {page.products.length > 0 ? (
              <Cards products={page.products} />
            ) : (
              <EmptyResult title={t("store-visitors:states.noProducts")} icon={q === "" ? "cart" : "search"}>
                {q === "" ? t("store-visitors:emptyText") : t("store-visitors:foundNone", { query: q })}
              </EmptyResult>
            )}
            <Pages page={page} href={(query) => links.list({ q, ...query })} />
          </div>
        )}
      </StoreResultPart>
    </Frame>
  );
}

function Search({ q, error }: Pick<ListPageProps, "q" | "error">) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const { pathname, search } = new URL(links.list(), "http://localhost");
  const ids = fieldIds("shop-search", { error });
  const field = useRef<HTMLInputElement>(null);
  const previousQuery = useRef(q);
  // A new search sets the text of the field. The first run of the effect must not, because a visitor may have typed before hydration.
  useEffect(() => {
    if (field.current && previousQuery.current !== q) field.current.value = q;
    previousQuery.current = q;
  }, [q]);
  return (
    <search className="grid gap-1.5">
      <Form method="get" action={pathname} className="flex items-center gap-2">
        {[...new URLSearchParams(search)].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <label className="relative min-w-0 flex-1">
          <span className="sr-only">{t("store-visitors:search")}</span>
          <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-faint" />
          <input
            ref={field}
            type="search"
            name="q"
            maxLength={STORE_SEARCH_MAX}
            defaultValue={q}
            placeholder={t("store-visitors:search")}
            autoComplete="off"
            {...controlProps(ids, error)}
            className="control pl-10"
          />
        </label>
        <Button type="submit">{t("store-visitors:searchSubmit")}</Button>
      </Form>
      <FieldErrorList id={ids.errorId} error={error} />
      {q !== "" && (
        <ShopLink to={links.list()} className="text-link w-fit text-sm">
          {t("store-visitors:searchClear")}
        </ShopLink>
      )}
    </search>
  );
}
