import type { Cursor } from "../shared/cursor";
import { FIRST_PAGE, readCursor } from "../shared/cursor";
import type { Role, UserStatus } from "../shared/model";
import { parseListQuery } from "../shared/page.schema";
import { isUserStatus, USER_STATUSES } from "./user-status";

/** What a list of users can be sorted by. */
export const USER_SORTS = ["created", "name", "company", "email"] as const;
/** One of the orders of a list of users. */
export type UserSort = (typeof USER_SORTS)[number];
/** Ascending or descending; dates ascend from the oldest. */
export type SortDirection = "asc" | "desc";

/** The roles in the order in which a form offers them. */
export const ROLES: readonly Role[] = ["user", "admin"];

/** Which users a list shows: all, those of one status, those who asked to be deleted, or those in the trash. */
export type UserShow = "all" | "asked" | "trash" | UserStatus;
/** All of them, in the order in which a list offers them. */
export const USER_SHOWS: readonly UserShow[] = ["all", ...USER_STATUSES, "asked", "trash"];

/** Of those who wait for a decision, how many a search or a filter looks through, the latest first. */
export const WAITING_SEARCHED = 1000;

/** Which part of which list of users is asked for. */
export interface UserListQuery {
  /** Empty for everybody. */
  readonly q: string;
  readonly show: UserShow;
  readonly role: Role | null;
  /** Not of those who asked to be deleted and of the trash, which have an order of their own. */
  readonly sort: UserSort;
  readonly direction: SortDirection;
  readonly cursor: Cursor;
}

/** Newest first and names from their beginning: the way in which each order is asked for first. */
export const naturalDirection = (sort: UserSort): SortDirection => (sort === "created" ? "desc" : "asc");

/** Whether a list is only what waits for a decision: it is short, and in the order in which it came. */
export const isWaitingList = (show: UserShow): show is "asked" | "trash" =>
  show === "asked" || show === "trash";

/** The list that an address asks for: ?q, ?show, ?role, ?sort=name or -name, ?cursor. What is not valid is as if missing. */
export function parseUserListQuery(params: URLSearchParams): UserListQuery {
  const { q } = parseListQuery(params);
  const show = params.get("show");
  const role = params.get("role");
  const sorted = /^(-?)(\w+)$/.exec(params.get("sort") ?? "");
  const sort = USER_SORTS.find((each) => each === sorted?.[2]) ?? "created";
  const named = sorted?.[2] === sort;
  return {
    q: q ?? "",
    show: show === "asked" || show === "trash" || isUserStatus(show) ? show : "all",
    role: role === "admin" || role === "user" ? role : null,
    sort,
    direction: named ? (sorted?.[1] === "-" ? "desc" : "asc") : naturalDirection(sort),
    cursor: readCursor(params.get("cursor")),
  };
}

/** The address of a list, without its page: what is usual is left out. */
export function userListParams(query: Omit<UserListQuery, "cursor">): URLSearchParams {
  const params = new URLSearchParams();
  if (query.q !== "") params.set("q", query.q);
  if (query.show !== "all") params.set("show", query.show);
  if (query.role !== null) params.set("role", query.role);
  if (query.sort !== "created" || query.direction !== "desc")
    params.set("sort", `${query.direction === "desc" ? "-" : ""}${query.sort}`);
  return params;
}

/** Everybody, newest first. */
export const ALL_USERS: UserListQuery = {
  q: "",
  show: "all",
  role: null,
  sort: "created",
  direction: "desc",
  cursor: FIRST_PAGE,
};
