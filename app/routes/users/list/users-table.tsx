import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { useFormatDate } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { Menu, MenuLink } from "~/components/menus/menu";
import { UserStatusBadge } from "~/components/status/user-status";
import { type Column, Table } from "~/components/table";
import { toLocalInput } from "~/domain/shared/time-zone";
import {
  defaultUserDirection,
  isDeletionList,
  type UserListQuery,
  type UserSort,
  userListParams,
} from "~/domain/users/user-list.schema";
import { useTranslation } from "~/i18n/translation";
import type { UserRow } from "./row";

export interface UsersTableProps {
  readonly rows: readonly UserRow[];
  readonly query: Omit<UserListQuery, "cursor">;
  readonly timeZone: string;
  /** Ids of the rows that are selected initially. */
  readonly chosenIds: readonly string[];
  readonly empty: ReactNode;
}

/**
 * Table of accounts, inside the form for bulk changes. With a mouse, the style sheet shows elements with `data-reveal` only while their row
 * (`data-row`) has the pointer or the focus, or a row is selected.
 */
export function UsersTable({ rows, query, timeZone, chosenIds, empty }: UsersTableProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const inTrash = query.show === "trash";
  const createSort = (sort: UserSort): Column<UserRow>["sort"] => {
    if (isDeletionList(query.show)) return undefined;
    const current = query.sort === sort;
    const oppositeDirection = query.direction === "asc" ? "desc" : "asc";
    const direction = current ? oppositeDirection : defaultUserDirection(sort);
    return {
      href: `?${userListParams({ ...query, sort, direction })}`,
      direction: current ? query.direction : undefined,
    };
  };
  const formatDay = (instant: string) => formatDate(toLocalInput(instant, timeZone), { time: false });
  // Between phone and desktop widths the columns do not fit: the table scrolls then, not the page.
  return (
    <div className="relative sm:-mx-3 sm:overflow-x-auto sm:px-3">
      <Table
        caption={t("users:list.caption")}
        rows={rows}
        rowsId="list"
        rowKey={(user) => user.id}
        empty={empty}
        // The items of an account in the trash cannot be opened before it is restored.
        actions={(user) =>
          user.deletedAt === null && (
            <Menu trigger={<Icon name="more" />} label={t("users:list.actionsOf", { name: user.name })}>
              <MenuLink icon="cube" href={`/space-list/${user.id}`}>
                {t("users:people.spacesOf", { name: user.name })}
              </MenuLink>
              <MenuLink icon="library" href={`/library/${user.id}`}>
                {t("users:people.libraryOf", { name: user.name })}
              </MenuLink>
            </Menu>
          )
        }
        columns={[
          {
            key: "name",
            header: t("users:people.colName"),
            sort: createSort("name"),
            cell: (user) => (
              <span className="flex min-h-10 items-center gap-3 sm:min-w-44">
                <label
                  data-reveal=""
                  className="-mx-2.5 flex size-10 shrink-0 cursor-pointer items-center justify-center max-sm:size-11"
                >
                  <input
                    type="checkbox"
                    name="id"
                    value={user.id}
                    aria-label={t("users:bulk.select", { name: user.name })}
                    defaultChecked={chosenIds.includes(user.id)}
                    className="tick shrink-0 rounded-sm"
                  />
                </label>
                <span>
                  <Anchor
                    href={`/user-list/${user.id}`}
                    aria-label={t("users:list.edit", { name: user.name })}
                    className="inline-flex min-h-8 items-center font-semibold max-sm:min-h-11 text-ink hover:underline"
                  >
                    {user.name}
                  </Anchor>
                  {user.hasDeletionRequest && (
                    <span className="block text-xs font-normal text-warning">
                      {t("users:list.deletionRequestedMark")}
                    </span>
                  )}
                </span>
              </span>
            ),
          },
          {
            key: "company",
            phone: "value",
            header: t("users:people.colCompany"),
            sort: query.sort === "company" ? createSort("company") : undefined,
            blank: (user) => user.company === "",
            cell: (user) => user.company,
          },
          {
            key: "email",
            phone: "value",
            header: t("users:people.colEmail"),
            sort: query.sort === "email" ? createSort("email") : undefined,
            cell: (user) => <span className="wrap-anywhere">{user.email}</span>,
          },
          {
            key: "role",
            phone: "value",
            header: t("users:people.colRole"),
            className: "whitespace-nowrap",
            cell: (user) => t(`users:people.role.${user.role}`),
          },
          {
            key: "status",
            phone: "value",
            header: t("users:people.colStatus"),
            cell: (user) => <UserStatusBadge status={user.status} />,
          },
          {
            key: "spaces",
            phone: "header-and-value",
            header: t("users:people.colSpaces"),
            align: "end",
            className: "whitespace-nowrap",
            cell: (user) => t("users:people.spacesUsed", user.spaces),
          },
          {
            key: "library",
            phone: "header-and-value",
            header: t("users:people.colLibrary"),
            align: "end",
            className: "whitespace-nowrap",
            cell: (user) => t("users:people.storageUsed", user.storage),
          },
          {
            key: "created",
            phone: "header-and-value",
            header: inTrash ? t("users:list.deletedAt") : t("users:list.joined"),
            sort: createSort("created"),
            align: "end",
            className: "whitespace-nowrap",
            cell: (user) => formatDay(user.deletedAt ?? user.createdAt),
          },
        ]}
      />
    </div>
  );
}
