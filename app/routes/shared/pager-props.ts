import { PAGE_SIZE } from "~/domain/shared/limits";
import { hrefWith } from "./href-with";

/** Props of the pager for a page of a list. Other parameters of the URL, except `toast`, are kept. */
export function pagerProps(
  list: { readonly page: number; readonly total: number; readonly count: number },
  searchParams: URLSearchParams,
) {
  const { page, total, count } = list;
  const href = (to: number) => hrefWith(searchParams, "page", to === 1 ? null : String(to));
  const from = (page - 1) * PAGE_SIZE + 1;
  return {
    previousHref: page > 1 ? href(page - 1) : null,
    nextHref: page * PAGE_SIZE < total ? href(page + 1) : null,
    ...(count > 0 && { range: { from, to: from + count - 1, total } }),
  };
}
