import { redirect } from "@remix-run/cloudflare";
import { readCursor } from "~/domain/shared/cursor";

/**
 * Leads an address beside a row that has gone, or back past the beginning of a list, to its first page: an empty or a short
 * page would say that there is no more.
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
