import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "~/components/button";
import { Icon } from "~/components/icon";
import { type ContentQuery, QUERY_MAX } from "~/domain/content/content-query";
import { contentSearch } from "~/domain/content/content-search";
import type { Uuid } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { Scene } from "../scene/scene-types";
import { toFindables } from "./findable";
import type { ContentIndex } from "./list-pages";

/** Maximum number of keywords that are displayed without a disclosure, because more would be a second list. */
const KEYWORDS_SHOWN = 8;
const EMPTY_QUERY: ContentQuery = { text: "", keywords: [] };

export interface SearchBoxProps {
  readonly scene: Scene;
  /** Ids of the whole content. Until the scene contains all of it, only the search of the URL is applied. */
  readonly index: ContentIndex;
  readonly keywords: readonly string[];
  /** Search of the URL; after a visit to the shop, the visitor's last search. */
  readonly initialQuery: ContentQuery;
  /** The server's result for the search of the URL; null if the URL has no search. */
  readonly initialMatches: readonly Uuid[] | null;
  /** Query with only the parameters that open the page, such as "token=…". */
  readonly pageQuery: string;
  /** Called with the ids of the matching entries; null for all. */
  onQuery(query: ContentQuery, matchingIds: ReadonlySet<Uuid> | null): void;
}

const isSameQuery = (a: ContentQuery, b: ContentQuery) =>
  a.text.trim() === b.text && [...a.keywords].sort().join("\n") === [...b.keywords].sort().join("\n");

/** Reads the current search from the form. */
const readForm = (form: HTMLFormElement): ContentQuery => {
  const fields = new FormData(form);
  return { text: String(fields.get("q") ?? ""), keywords: fields.getAll("k").map(String) };
};

/** Search within an event: a GET form for the server, and live with scripts. Its fields are uncontrolled, so that input before hydration is kept. */
export default function SearchBox({
  scene,
  index,
  keywords,
  initialQuery,
  initialMatches,
  pageQuery,
  onQuery,
}: SearchBoxProps) {
  const { t } = useTranslation();
  const entries = useMemo(() => toFindables(scene), [scene]);
  const total = index.tags.length + index.untaggedMedia.length;
  const hasWholeContent = entries.length === total;
  const search = useMemo(() => contentSearch(entries), [entries]);
  const [query, setQuery] = useState(initialQuery);
  const serverResult = useMemo(() => initialMatches && new Set(initialMatches), [initialMatches]);
  const hasResult = hasWholeContent || isSameQuery(query, initialQuery);
  const matchingIds = useMemo(
    () => (hasWholeContent ? search(query) : serverResult),
    [hasWholeContent, search, query, serverResult],
  );
  const form = useRef<HTMLFormElement>(null);
  const isFirstRender = useRef(true);
  useEffect(() => {
    if (isFirstRender.current && form.current) setQuery(readForm(form.current));
    else onQuery(query, matchingIds);
    isFirstRender.current = false;
  }, [query, matchingIds, onQuery]);
  // A link may contain keywords that the event does not have.
  const unknownKeywords = query.keywords.filter((keyword) => !keywords.includes(keyword));
  const renderFilter = (keyword: string) => (
    <label key={keyword} className="filter">
      <input
        type="checkbox"
        name="k"
        value={keyword}
        defaultChecked={initialQuery.keywords.includes(keyword)}
      />
      {keyword}
    </label>
  );
  const filters = (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset with a legend is not laid out like other elements
    <div role="group" aria-label={t("visitors-late:filters")} className="flex flex-wrap gap-2">
      {keywords.map(renderFilter)}
    </div>
  );
  const count = matchingIds ? matchingIds.size : total;
  return (
    <search className="grid gap-3">
      <form
        ref={form}
        method="get"
        onSubmit={(event) => event.preventDefault()}
        onInput={(event) => setQuery(readForm(event.currentTarget))}
        className="grid gap-3"
      >
        {[...new URLSearchParams(pageQuery), ...unknownKeywords.map((keyword) => ["k", keyword])].map(
          ([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ),
        )}
        <div className="flex items-center gap-2">
          <div className="relative min-w-0 flex-1">
            <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-faint" />
            <input
              type="search"
              name="q"
              maxLength={QUERY_MAX}
              defaultValue={initialQuery.text}
              aria-label={t("visitors-late:search")}
              placeholder={t("visitors-late:search")}
              autoComplete="off"
              className="control pl-10"
            />
          </div>
          <Button type="submit" className="[@media(scripting:enabled)]:hidden">
            {t("visitors-late:searchSubmit")}
          </Button>
        </div>
        {keywords.length > KEYWORDS_SHOWN ? (
          <details open={keywords.some((keyword) => initialQuery.keywords.includes(keyword))}>
            <summary className="text-link cursor-pointer text-sm">
              {t("visitors-late:allFilters", { count: keywords.length })}
            </summary>
            {filters}
          </details>
        ) : (
          keywords.length > 0 && filters
        )}
      </form>
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        <p role="status">
          {matchingIds &&
            hasResult &&
            (count > 0 ? t("visitors-late:found", { count, total }) : t("visitors-late:foundNone"))}
        </p>
        {matchingIds && (
          <a
            href={`?${pageQuery}`}
            onClick={(event) => {
              event.preventDefault();
              for (const field of form.current?.querySelectorAll("input") ?? [])
                if (field.type === "checkbox") field.checked = false;
                else if (field.type === "search") {
                  field.value = "";
                  field.focus();
                }
              setQuery(EMPTY_QUERY);
            }}
            className="text-link"
          >
            {t("visitors-late:searchClear")}
          </a>
        )}
      </div>
    </search>
  );
}
