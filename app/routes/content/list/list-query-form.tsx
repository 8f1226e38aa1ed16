import { Form } from "@remix-run/react";
import { useMemo } from "react";
import { Button, LinkButton } from "~/components/button";
import { cx } from "~/components/cx";
import { SelectField } from "~/components/fields/select-field";
import { Icon } from "~/components/icon";
import { menuPanelClasses, menuTriggerClasses } from "~/components/menus/menu-classes";
import type { PartType } from "~/domain/content/content";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { FILTERS, listKeywords, readListQuery } from "./list-filter";
import { useLiveQuery } from "./use-live-query";

export interface ListQueryFormProps {
  readonly type: PartType;
  /** Number of matching items. */
  readonly matchCount: number;
  /** Current query. */
  readonly currentQuery: URLSearchParams;
  readonly onTyped: (href: string) => void;
}

/**
 * Search and filters of the list: a plain GET form, so every filtered list has its own URL. With a mouse, the filter menu (`data-reveal`) is visible only
 * while the form is hovered or focused, or while a filter is set.
 */
export function ListQueryForm({ type, matchCount, currentQuery, onTyped }: ListQueryFormProps) {
  const { t, language } = useTranslation();
  const { state } = useEditorView();
  const query = readListQuery(currentQuery);
  const { tags } = state.content;
  const keywords = useMemo(
    () => (type === "tag" ? listKeywords(tags, language) : []),
    [type, tags, language],
  );
  const { form: formProps, onClear } = useLiveQuery(
    {
      q: query.q,
      show: query.show ?? "",
      ...(keywords.length > 0 && { k: query.keyword }),
    },
    onTyped,
  );
  const filterText = [query.show && t(`content:show.${query.show}`), query.keyword]
    .filter(Boolean)
    .join(t("shared-owners:listSeparator"));
  const hasQuery = query.q !== "" || query.keyword !== "" || query.show !== null;
  return (
    <Form method="get" role="search" {...formProps} data-row="" className="grid gap-2">
      <input type="hidden" name="panel" value={type === "tag" ? "tags" : "media"} />
      <div className="flex gap-2">
        <div className="relative flex min-w-0 flex-1 gap-2">
          <input
            type="search"
            name="q"
            defaultValue={query.q}
            aria-label={t("content:search")}
            placeholder={t("content:search")}
            className={cx("control min-w-0 flex-1", filterText === "" && "pr-11")}
          />
          <details
            data-reveal={filterText === "" ? "" : undefined}
            className={filterText === "" ? "absolute top-0 right-0" : "relative"}
            onBlur={({ currentTarget, relatedTarget }) => {
              if (!currentTarget.contains(relatedTarget)) currentTarget.open = false;
            }}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || !event.currentTarget.open) return;
              event.currentTarget.open = false;
              event.currentTarget.querySelector("summary")?.focus();
            }}
          >
            <summary
              title={t("content:show.label")}
              className={cx(
                menuTriggerClasses,
                "max-w-40",
                filterText !== "" && "bg-accent/8 px-2 text-accent",
              )}
            >
              <Icon name="settings" />
              <span className={filterText === "" ? "sr-only" : "truncate"}>
                <span className="sr-only">{t("content:show.label")}</span>{" "}
                {filterText || t("content:show.all")}
              </span>
            </summary>
            {/* The panel can be focused, so that pressing on its padding does not close the menu. */}
            <div
              tabIndex={-1}
              className={cx("absolute top-full right-0 mt-1 grid w-72 gap-4", menuPanelClasses, "p-4")}
            >
              <SelectField
                name="show"
                id="list-show"
                label={t("content:show.label")}
                defaultValue={query.show ?? ""}
                options={[
                  { value: "", label: t("content:show.all") },
                  ...FILTERS.map((show) => ({ value: show, label: t(`content:show.${show}`) })),
                ]}
              />
              {keywords.length > 0 && (
                <SelectField
                  name="k"
                  id="list-keyword"
                  label={t("content:tag.keywords")}
                  defaultValue={query.keyword}
                  options={[
                    { value: "", label: t("content:show.all") },
                    ...keywords.map((keyword) => ({ value: keyword, label: keyword })),
                  ]}
                />
              )}
            </div>
          </details>
        </div>
        <Button type="submit" className="[@media(scripting:enabled)]:hidden">
          {t("content:searchSubmit")}
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        <p role="status" className="text-sm text-muted tabular-nums empty:sr-only">
          {hasQuery ? t("content:values.count", { count: matchCount }) : ""}
        </p>
        {hasQuery && (
          <LinkButton
            variant="quiet"
            href={`?panel=${type === "tag" ? "tags" : "media"}`}
            keepScroll
            onClick={onClear}
          >
            {t("content:showAll")}
          </LinkButton>
        )}
      </div>
    </Form>
  );
}
