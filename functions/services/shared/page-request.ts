import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/shared/limits";
import type { PageRequest } from "./ports";

/**
 * Reads a page request from untrusted parameters. Invalid values, and page numbers above a million, become page 1 and PAGE_SIZE rows. A page has at most
 * PAGE_SIZE_MAX rows (specification §9).
 */
export function pageRequest(page = 1, pageSize = PAGE_SIZE): PageRequest {
  return {
    page: Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
    pageSize: Number.isSafeInteger(pageSize) && pageSize >= 1 ? Math.min(pageSize, PAGE_SIZE_MAX) : PAGE_SIZE,
  };
}
