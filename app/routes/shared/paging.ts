import { PAGE_SIZE } from "~/domain/shared/limits";

/**
 * Query of the current URL with one parameter set, or removed if the value is null; the others, except `toast`, are kept. For links that open a
 * dialog or another page of the list.
 */
export function hrefWith(searchParams: URLSearchParams, name: string, value: string | null): string {
  const params = new URLSearchParams(searchParams);
  params.delete("toast");
  if (value === null) params.delete(name);
  else params.set(name, value);
  return `?${params}`;
}

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
