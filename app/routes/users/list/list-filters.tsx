import { LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { Menu, MenuGroup, MenuLink } from "~/components/menus/menu";
import type { ListSearch } from "~/domain/shared/list-query.schema";
import {
  defaultUserDirection,
  isDeletionList,
  ROLES,
  USER_SHOWS,
  USER_SORTS,
  type UserListQuery,
  userListParams,
} from "~/domain/users/user-list.schema";
import { useTranslation } from "~/i18n/translation";
import { SearchForm } from "../../shared/search-form";

export interface ListFiltersProps {
  readonly query: Omit<UserListQuery, "cursor">;
  readonly search: ListSearch;
  readonly isFiltered: boolean;
}

const SORT_LABELS = {
  created: "users:list.joined",
  name: "users:people.colName",
  company: "users:people.colCompany",
  email: "users:people.colEmail",
} as const;

/**
 * Search, filters and order of the user list. Each choice is a link, so every list has its own URL. The lists of accounts that are to be deleted (`asked`:
 * their deletion was requested; `trash`) have a fixed order.
 */
export function ListFilters({ query, search, isFiltered }: ListFiltersProps) {
  const { t } = useTranslation();
  const showLabel = (show: (typeof USER_SHOWS)[number]) => {
    if (show === "all") return t("users:list.showAll");
    if (show === "asked") return t("users:list.deletionRequested");
    return show === "trash" ? t("users:list.trash") : t(`users:people.status.${show}`);
  };
  const hrefOf = (change: Partial<ListFiltersProps["query"]>) =>
    `/user-list?${userListParams({ ...query, ...change })}`;
  const keptParams = userListParams({ ...query, q: "" });
  const activeFilters = [
    query.show !== "all" && showLabel(query.show),
    query.role && t(`users:people.role.${query.role}`),
  ].filter(Boolean);
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="min-w-0 flex-1 basis-full sm:max-w-sm sm:basis-48">
        <SearchForm
          label={t("users:people.search")}
          submit={t("users:list.apply")}
          clear={t("users:list.clear")}
          {...search}
          otherParams={keptParams}
          clearHref={`/user-list?${keptParams}`}
        />
      </div>
      <Menu
        align="start"
        triggerClassName="px-3 font-semibold max-sm:pl-0"
        trigger={
          <>
            <Icon name="sort" />
            {activeFilters.join(t("shared-owners:listSeparator")) || t("users:list.view")}
          </>
        }
      >
        <MenuGroup label={t("users:list.show")}>
          {USER_SHOWS.map((show) => (
            <MenuLink key={show} href={hrefOf({ show })} current={show === query.show} keepScroll>
              {showLabel(show)}
            </MenuLink>
          ))}
        </MenuGroup>
        <MenuGroup label={t("users:list.role")}>
          {[null, ...ROLES].map((role) => (
            <MenuLink key={role} href={hrefOf({ role })} current={role === query.role} keepScroll>
              {role === null ? t("users:list.allRoles") : t(`users:people.role.${role}`)}
            </MenuLink>
          ))}
        </MenuGroup>
        {!isDeletionList(query.show) && (
          <MenuGroup label={t("users:list.orderBy")}>
            {USER_SORTS.map((sort) => (
              <MenuLink
                key={sort}
                href={hrefOf({ sort, direction: defaultUserDirection(sort) })}
                current={sort === query.sort}
                keepScroll
              >
                {t(SORT_LABELS[sort])}
              </MenuLink>
            ))}
          </MenuGroup>
        )}
      </Menu>
      {isFiltered && (
        <LinkButton href="/user-list" variant="quiet">
          {t("users:list.clear")}
        </LinkButton>
      )}
    </div>
  );
}
