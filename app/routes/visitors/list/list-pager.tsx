import { useNavigate } from "@remix-run/react";
import { Icon } from "~/components/icon";
import { VISITOR_LIST_PAGE_SIZE } from "~/domain/visitors/visitor-list";
import { useTranslation } from "~/i18n/translation";
import type { ListPages } from "./use-list-pages";

/** Props of the element above or below a page of a long list. */
export interface ListPagerProps {
  /** Above the list: the range of the page's entries. Below it: the range, and links to the previous and next page. */
  readonly side: "top" | "bottom";
  readonly list: ListPages;
  /** URL of a page of the list. */
  readonly createPageHref: (page: number) => string;
  /** Whether the browser has the whole list and shows its pages without loading a document. */
  readonly hasWholeList: boolean;
  /** Whether entries of the page are still being loaded. */
  readonly isLoading: boolean;
}

/** Id of the element that receives the focus when another page of the list is displayed, so that keyboards and screen readers continue there. */
const TOP_ID = "list-top";
const PAGER_LINK_CLASSES =
  "inline-flex min-h-10 items-center gap-1 rounded border border-edge/65 px-3 text-sm font-semibold no-underline hover:border-edge hover:bg-surface";

/** Range of the entries on a page of a long list, and links to the previous and next page. */
export function ListPager(props: ListPagerProps) {
  const { side, list, createPageHref, hasWholeList, isLoading } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { page, pages } = list;
  const total = list.entries.length;
  const from = Math.min((page - 1) * VISITOR_LIST_PAGE_SIZE + 1, total);
  const range = t("visitors-late:listRange", {
    from,
    to: Math.min(page * VISITOR_LIST_PAGE_SIZE, total),
    total,
  });
  if (side === "top")
    return (
      <div className="grid gap-1 text-sm text-muted">
        <p id={TOP_ID} tabIndex={-1} className="shows-focus scroll-mt-4 tabular-nums">
          {range}
        </p>
        {isLoading && (
          <p role="status">
            {t("visitors-late:listComing")}
            {t("shared:space")}
            <a href={createPageHref(page)} className="text-link">
              {t("visitors-late:listOpenPage")}
            </a>
          </p>
        )}
      </div>
    );
  if (pages === 1) return null;
  const renderLink = (targetPage: number, rel: "prev" | "next") =>
    targetPage >= 1 &&
    targetPage <= pages && (
      <a
        href={createPageHref(targetPage)}
        rel={rel}
        className={PAGER_LINK_CLASSES}
        onClick={(event) => {
          if (!hasWholeList || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          list.goToPage(targetPage);
          // The navigation loads no data (shouldRevalidate in viewer.tsx). It updates the URL, so that a reload shows the same page of the list.
          navigate(createPageHref(targetPage), { replace: true, preventScrollReset: true });
          document.getElementById(TOP_ID)?.focus();
        }}
      >
        {rel === "prev" && <Icon name="chevron-left" size={16} />}
        {t(rel === "prev" ? "visitors-late:listPrevious" : "visitors-late:listNext")}
        {rel === "next" && <Icon name="chevron-right" size={16} />}
      </a>
    );
  return (
    <nav
      aria-label={t("visitors-late:listPages")}
      className="flex flex-wrap items-center justify-between gap-3"
    >
      <p className="text-sm text-muted tabular-nums">{range}</p>
      <div className="flex gap-2">
        {renderLink(page - 1, "prev")}
        {renderLink(page + 1, "next")}
      </div>
    </nav>
  );
}
