import { PAGE_SIZE } from "~/domain/limits";

/** What the kit's pager takes, for a page of a list. Other parameters of the address stay. */
export function pagerProps(
  list: { readonly page: number; readonly total: number; readonly count: number },
  search: URLSearchParams,
) {
  const { page, total, count } = list;
  const href = (to: number) => {
    const params = new URLSearchParams(search);
    params.delete("toast");
    if (to === 1) params.delete("page");
    else params.set("page", String(to));
    return `?${params}`;
  };
  const from = (page - 1) * PAGE_SIZE + 1;
  return {
    previousHref: page > 1 ? href(page - 1) : null,
    nextHref: page * PAGE_SIZE < total ? href(page + 1) : null,
    ...(count > 0 && { range: { from, to: from + count - 1, total } }),
  };
}
