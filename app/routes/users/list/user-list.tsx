import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import {
  Form,
  type MetaFunction,
  useLoaderData,
  useLocation,
  useNavigation,
  useSearchParams,
} from "@remix-run/react";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { CursorPager } from "~/components/cursor-pager";
import { Icon } from "~/components/icon";
import { Menu, MenuLink } from "~/components/menus/menu";
import { PageHeader } from "~/components/page-header";
import { Notice } from "~/components/status/notice";
import { EmptyState } from "~/components/status/states";
import { readListSearch } from "~/domain/shared/list-query.schema";
import {
  DELETION_SEARCH_MAX,
  isDeletionList,
  parseUserListQuery,
  type UserListQuery,
  userListParams,
} from "~/domain/users/user-list.schema";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { ReauthenticationPrompt } from "../../auth/reauthentication-prompt";
import { cursorPagerProps } from "../../shared/cursor-pager-props";
import type { RouteHandle } from "../../shared/handle";
import { keepWithinSlice } from "../../shared/keep-within.server";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { AreaNav } from "../area-nav";
import { BulkBar } from "./bulk-bar";
import { BulkErrorSummary, BulkResults } from "./bulk-results";
import { changeListedUsers } from "./change-listed-users";
import { ListFilters } from "./list-filters";
import { toRow } from "./row";
import { UsersTable } from "./users-table";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const { searchParams } = new URL(request.url);
  const { cursor, ...query } = parseUserListQuery(searchParams);
  const list = await context.services.users.listUsers({ actor, query: { ...query, cursor } });
  keepWithinSlice(list, request);
  return {
    title: pageTitle(context, "users:people.usersTitle"),
    query,
    search: readListSearch(searchParams),
    timeZone: user.timeZone,
    // Whether a search or filter left out some of the accounts that are to be deleted, because there are too many.
    hasUnsearched: list.hasUnsearched,
    users: list.items.map(toRow),
    page: {
      ids: list.items.map(({ id }) => id),
      hasPrevious: list.hasPrevious,
      hasNext: list.hasNext,
      total: list.total,
    },
  };
}

export const action = changeListedUsers;
export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["auth", "shared-owners", "users"],
  topBar: (_data, t: Translate) => ({ title: t("users:people.usersTitle") }),
};

export default function UserList() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const { key } = useLocation();
  const busy = useNavigation().formMethod === "POST";
  const { query, users } = page;
  const params = userListParams(query);
  const errors = (result?.errors ?? {}) as Record<string, string[]>;
  const isFiltered =
    query.q !== "" || query.show !== "all" || query.role !== null || page.search.typed !== "";
  const isTruncated =
    query.q !== "" && page.page.total.hasMore && query.sort !== "created" && !isDeletionList(query.show);
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-6 py-8">
      <AreaNav current="users" />
      <PageHeader
        title={t("users:people.usersTitle")}
        action={
          <LinkButton href="/user-list/new" icon="plus" variant="primary">
            {t("users:list.create")}
          </LinkButton>
        }
        menu={
          <Menu trigger={<Icon name="more" />} label={t("shared-owners:moreActions")}>
            <MenuLink icon="download" href={`/user-list/export?${params}`} download>
              {t("users:list.export")}
            </MenuLink>
            <MenuLink icon="upload" href="/user-list/import">
              {t("users:list.import")}
            </MenuLink>
          </Menu>
        }
      />
      <ListFilters query={query} search={page.search} isFiltered={isFiltered} />
      <BulkErrorSummary errors={errors} />
      {result?.prompt && <ReauthenticationPrompt form="users" reauthentication={result.prompt} />}
      {result && result.results.length > 0 && <BulkResults results={result.results} />}
      {page.hasUnsearched && (
        <Notice>{t("users:list.waitingLimited", { count: DELETION_SEARCH_MAX })}</Notice>
      )}
      {isTruncated && <Notice>{t("users:list.searchLimited", { count: page.page.total.count })}</Notice>}
      <Form
        method="post"
        id="users"
        action={searchParams.size > 0 ? `?${searchParams}` : undefined}
        key={key}
        className="group/list"
        aria-label={t("users:list.caption")}
      >
        <UsersTable
          rows={users}
          query={query}
          timeZone={page.timeZone}
          chosenIds={result?.chosen ?? []}
          empty={<EmptyUserList show={query.show} role={query.role} q={query.q} />}
        />
        <CursorPager {...cursorPagerProps(page.page, searchParams)} />
        <BulkBar
          rowCount={users.length}
          inTrash={query.show === "trash"}
          typed={result?.typed ?? {}}
          errors={errors}
          pending={busy}
        />
      </Form>
    </Container>
  );
}

function EmptyUserList({ show, role, q }: Pick<UserListQuery, "show" | "role" | "q">) {
  const { t } = useTranslation();
  const isUnfiltered = q === "" && role === null;
  if (show === "trash" && isUnfiltered)
    return (
      <EmptyState icon="trash" title={t("users:list.emptyTrash")}>
        {t("users:list.emptyTrashText")}
      </EmptyState>
    );
  if (show === "asked" && isUnfiltered)
    return (
      <EmptyState icon="users" title={t("users:list.emptyRequested")}>
        {t("users:list.emptyRequestedText")}
      </EmptyState>
    );
  if (q !== "")
    return (
      <EmptyState icon="search" title={t("users:people.emptyTitle", { q })}>
        {t("users:people.emptyText")}
      </EmptyState>
    );
  return (
    <EmptyState icon="users" title={t("users:list.emptyTitle")}>
      {t("users:list.emptyText")}
    </EmptyState>
  );
}
