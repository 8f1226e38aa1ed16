import { redirect } from "@remix-run/cloudflare";
import { readCursor } from "~/domain/shared/cursor";
import { PAGE_SIZE } from "~/domain/shared/limits";

/** Redirects from a page number beyond the end of a list to the last page, because an empty page would suggest that the list is empty. */
export function keepWithinPages(
  list: { readonly items: readonly unknown[]; readonly total: number },
  request: Request,
) {
  if (list.items.length > 0 || list.total === 0) return;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("page", String(Math.ceil(list.total / PAGE_SIZE)));
  throw redirect(`${pathname}?${searchParams}`);
}

/**
 * Redirects to the first page of a list with cursors if the requested page is empty (its items were deleted), or if paging backwards has reached the
 * beginning of the list, because an empty or short page would suggest that the list ends there.
 */
export function keepWithinSlice(
  list: { readonly items: readonly unknown[]; readonly hasPrevious: boolean },
  request: Request,
) {
  const { pathname, searchParams } = new URL(request.url);
  const { position } = readCursor(searchParams.get("cursor"));
  const isEmpty = list.items.length === 0 && position !== "first";
  if (!isEmpty && (position !== "before" || list.hasPrevious)) return;
  searchParams.delete("cursor");
  throw redirect(`${pathname}?${searchParams}`);
}
