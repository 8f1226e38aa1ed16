import { redirect } from "@remix-run/cloudflare";
import { readCursor } from "~/domain/shared/cursor";

/**
 * Redirects to the first page of a list if the cursor's row was deleted or if the page lies before the beginning, because an empty or short page
 * would suggest that the list ends there.
 */
export function keepWithinSlice(
  list: { readonly items: readonly unknown[]; readonly hasPrevious: boolean },
  request: Request,
) {
  const { pathname, searchParams } = new URL(request.url);
  const { at } = readCursor(searchParams.get("cursor"));
  const isEmpty = list.items.length === 0 && at !== "first";
  if (!isEmpty && (at !== "before" || list.hasPrevious)) return;
  searchParams.delete("cursor");
  searchParams.delete("_routes");
  throw redirect(`${pathname.replace(/\.data$/, "")}?${searchParams}`);
}
