import { redirect } from "@remix-run/cloudflare";
import { PAGE_SIZE } from "~/domain/shared/limits";

/** Redirects from a page number beyond the end of a list to the last page, because an empty page would suggest that the list is empty. */
export function keepWithinPages(
  list: { readonly items: readonly unknown[]; readonly total: number },
  request: Request,
) {
  if (list.items.length > 0 || list.total === 0) return;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("page", String(Math.ceil(list.total / PAGE_SIZE)));
  throw redirect(`${pathname.replace(/\.data$/, "")}?${searchParams}`);
}
