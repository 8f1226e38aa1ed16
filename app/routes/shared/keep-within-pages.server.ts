import { redirect } from "@remix-run/cloudflare";
import { PAGE_SIZE } from "~/domain/shared/limits";

/** Leads an address beyond the last page of a list to that page: an empty page would say that there is nothing. */
export function keepWithinPages(
  list: { readonly items: readonly unknown[]; readonly total: number },
  request: Request,
) {
  if (list.items.length > 0 || list.total === 0) return;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("page", String(Math.ceil(list.total / PAGE_SIZE)));
  throw redirect(`${pathname.replace(/\.data$/, "")}?${searchParams}`);
}
