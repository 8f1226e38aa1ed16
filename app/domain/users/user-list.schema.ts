import type { Cursor } from "../shared/cursor";
import { FIRST_PAGE, readCursor } from "../shared/cursor";
import { parseListQuery } from "../shared/list-query.schema";
import type { Role, UserStatus } from "../shared/model";
import { isUserStatus, USER_STATUSES } from "./user-status";

/** Fields by which a list of users can be sorted. */
export const USER_SORTS = ["created", "name", "company", "email"] as const;
/** One of the sort fields. */
export type UserSort = (typeof USER_SORTS)[number];
/** Ascending or descending. The ascending order of dates starts with the oldest. */
export type SortDirection = "asc" | "desc";

/** The roles in the order of the form. */
export const ROLES: readonly Role[] = ["user", "admin"];

/** The users that a list shows: all, those of one status, those who requested their deletion, or those in the trash. */
export type UserShow = "all" | "asked" | "trash" | UserStatus;
/** All of these lists, in the order of the menu. */
export const USER_SHOWS: readonly UserShow[] = ["all", ...USER_STATUSES, "asked", "trash"];

/** Maximum number of accounts that a search or a filter examines in the list of deletion requests and in the trash, the latest first. */
export const DELETION_SEARCH_MAX = 1000;

/** Parameters of a list of users. */
export interface UserListQuery {
  /** Search text; empty for all users. */
  readonly q: string;
  readonly show: UserShow;
  readonly role: Role | null;
  /** Not used for deletion requests and the trash, which have an order of their own. */
  readonly sort: UserSort;
  readonly direction: SortDirection;
  readonly cursor: Cursor;
}

/** Returns the default direction of a sort field: dates descend, names ascend. */
export const defaultUserDirection = (sort: UserSort): SortDirection => (sort === "created" ? "desc" : "asc");

/** Whether a list contains only accounts that are to be deleted: deletion requests, or the trash. The latest come first. */
export const isDeletionList = (show: UserShow): show is "asked" | "trash" =>
  show === "asked" || show === "trash";

/** Reads the parameters of a list's URL: ?q, ?show, ?role, ?sort=name or -name, ?cursor. Invalid values count as missing. */
export function parseUserListQuery(params: URLSearchParams): UserListQuery {
  const { q } = parseListQuery(params);
  const show = params.get("show");
  const role = params.get("role");
  const sortMatch = /^(-?)(\w+)$/.exec(params.get("sort") ?? "");
  const sort = USER_SORTS.find((userSort) => userSort === sortMatch?.[2]) ?? "created";
  const hasSort = sortMatch?.[2] === sort;
  return {
    q: q ?? "",
    show: show === "asked" || show === "trash" || isUserStatus(show) ? show : "all",
    role: role === "admin" || role === "user" ? role : null,
    sort,
    direction: hasSort ? (sortMatch?.[1] === "-" ? "desc" : "asc") : defaultUserDirection(sort),
    cursor: readCursor(params.get("cursor")),
  };
}

/** Returns the parameters of a list's URL without its page. Omits default values. */
export function userListParams(query: Omit<UserListQuery, "cursor">): URLSearchParams {
  const params = new URLSearchParams();
  if (query.q !== "") params.set("q", query.q);
  if (query.show !== "all") params.set("show", query.show);
  if (query.role !== null) params.set("role", query.role);
  if (query.sort !== "created" || query.direction !== "desc")
    params.set("sort", `${query.direction === "desc" ? "-" : ""}${query.sort}`);
  return params;
}

/** The list of all users, newest first. */
export const ALL_USERS: UserListQuery = {
  q: "",
  show: "all",
  role: null,
  sort: "created",
  direction: "desc",
  cursor: FIRST_PAGE,
};
