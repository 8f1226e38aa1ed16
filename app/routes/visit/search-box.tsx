import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "~/components/button";
import { Icon } from "~/components/icon";
import { type ContentQuery, contentQueryParams, QUERY_MAX, withKeyword } from "~/domain/content-query";
import { contentSearch, keywordsOf } from "~/domain/content-search";
import type { Uuid } from "~/domain/model";
import { useTranslation } from "~/i18n/use-translation";
import { findables } from "./findable";
import type { Scene } from "./scene-types";

/** More are behind a summary: they would be a second list. */
const KEYWORDS_SHOWN = 8;

export interface SearchBoxProps {
  readonly scene: Scene;
  /** What the address asks for. */
  readonly initial: ContentQuery;
  /** Of the page, without a query: "?token=…" */
  readonly search: string;
  /** What is to be seen of the list; null for all. */
  onQuery(query: ContentQuery, shown: ReadonlySet<Uuid> | null): void;
}

/** Search within an event: a form and links for the server, and at every letter with scripts. */
export default function SearchBox({ scene, initial, search, onQuery }: SearchBoxProps) {
  const { t, language } = useTranslation();
  const entries = useMemo(() => findables(scene), [scene]);
  const find = useMemo(() => contentSearch(entries), [entries]);
  const keywords = useMemo(() => keywordsOf(entries, language), [entries, language]);
  const [query, setQuery] = useState(initial);
  const shown = useMemo(() => find(query), [find, query]);
  const input = useRef<HTMLInputElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // What was typed before the script came counts.
    const typed = input.current?.value ?? "";
    if (first.current && typed !== initial.text) setQuery((before) => ({ ...before, text: typed }));
    else if (!first.current) onQuery(query, shown);
    first.current = false;
  }, [initial, query, shown, onQuery]);

  const href = (next: ContentQuery) => {
    const params = new URLSearchParams(search);
    for (const [name, value] of contentQueryParams(next)) params.append(name, value);
    return `?${params}`;
  };
  const more = keywords.slice(KEYWORDS_SHOWN);
  const chip = (keyword: string) => {
    const on = query.keywords.includes(keyword);
    return (
      <li key={keyword}>
        <a
          href={href(withKeyword(query, keyword))}
          aria-current={on ? "true" : undefined}
          rel="nofollow"
          onClick={(event) => {
            event.preventDefault();
            setQuery(withKeyword(query, keyword));
          }}
          className="inline-flex min-h-10 items-center gap-1.5 rounded border border-line px-3 text-sm hover:bg-surface aria-[current]:border-accent aria-[current]:bg-accent aria-[current]:text-accent-ink"
        >
          {on && <Icon name="check" size={16} />}
          {keyword}
        </a>
      </li>
    );
  };
  const none: ContentQuery = { text: "", keywords: [] };
  const count = shown ? entries.filter(({ id }) => shown.has(id)).length : entries.length;
  return (
    <search className="grid gap-3">
      <form method="get" onSubmit={(event) => event.preventDefault()} className="flex items-center gap-2">
        {[...new URLSearchParams(search), ...contentQueryParams({ ...query, text: "" })].map(
          ([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ),
        )}
        <label className="relative min-w-0 flex-1">
          <span className="sr-only">{t("visitMore.search")}</span>
          <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-faint" />
          <input
            ref={input}
            type="search"
            name="q"
            maxLength={QUERY_MAX}
            defaultValue={initial.text}
            placeholder={t("visitMore.search")}
            autoComplete="off"
            onInput={(event) => setQuery({ ...query, text: event.currentTarget.value })}
            className="control pl-10"
          />
        </label>
        <Button type="submit" className="[@media(scripting:enabled)]:hidden">
          {t("visitMore.searchSubmit")}
        </Button>
      </form>
      {keywords.length > 0 && (
        <ul aria-label={t("visitMore.filters")} className="flex flex-wrap gap-2">
          {keywords.slice(0, KEYWORDS_SHOWN).map(chip)}
        </ul>
      )}
      {more.length > 0 && (
        <details open={more.some((keyword) => initial.keywords.includes(keyword))}>
          <summary className="inline-flex min-h-10 cursor-pointer items-center text-sm text-accent underline underline-offset-4">
            {t("visitMore.moreFilters", { count: more.length })}
          </summary>
          <ul aria-label={t("visitMore.filters")} className="flex flex-wrap gap-2 pt-2">
            {more.map(chip)}
          </ul>
        </details>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        <p role="status">
          {shown &&
            (count > 0 ? t("visitMore.found", { count, total: entries.length }) : t("visitMore.foundNone"))}
        </p>
        {shown && (
          <a
            href={href(none)}
            onClick={(event) => {
              event.preventDefault();
              if (input.current) input.current.value = "";
              input.current?.focus();
              setQuery(none);
            }}
            className="inline-flex min-h-10 items-center text-accent underline underline-offset-4"
          >
            {t("visitMore.searchClear")}
          </a>
        )}
      </div>
    </search>
  );
}
