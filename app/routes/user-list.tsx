import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { Pager } from "~/components/pager";
import { EmptyState } from "~/components/states";
import { Table } from "~/components/table";
import { parseListQuery, readListSearch } from "~/domain/page.schema";
import { formatBytes, formatName } from "~/i18n/format";
import type { Translate } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";
import type { RouteHandle } from "./shared/handle";
import { keepWithinPages } from "./shared/keep-within-pages.server";
import { pagerProps } from "./shared/paging";
import { SearchForm } from "./shared/search-form";
import { pageTitle } from "./shared/title";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = await context.requireSession();
  const { searchParams } = new URL(request.url);
  const { q, page } = parseListQuery(searchParams);
  const users = await context.services.users.listUsers({ actor, q: q ?? "", page });
  keepWithinPages(users, request);
  return {
    title: pageTitle(context, "people.usersTitle"),
    q: q ?? "",
    search: readListSearch(searchParams),
    page: { page: users.page, total: users.total, count: users.items.length },
    users: users.items.map((user) => ({
      id: user.id,
      name: formatName(user),
      company: user.companyName,
      email: user.email,
      status: user.status,
      role: user.role,
      spaces: { used: user.spaceCount, limit: user.spaceLicense },
      storage: { used: formatBytes(user.storageUsed), limit: formatBytes(user.storageLimit) },
    })),
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = { topBar: (_data, t: Translate) => ({ title: t("people.usersTitle") }) };

export default function UserList() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const link = "tabular-nums text-accent underline underline-offset-4";
  return (
    <Container as="main" id="main" className="grid gap-8 py-8">
      <PageHeader title={t("people.usersTitle")} />
      <SearchForm
        label={t("people.search")}
        submit={t("people.searchSubmit")}
        clear={t("people.clearSearch")}
        {...page.search}
        clearHref="?"
      />
      <Table
        caption={t("people.usersCaption")}
        columns={[
          {
            key: "name",
            header: t("people.colName"),
            cell: (user) => <span className="font-semibold">{user.name}</span>,
          },
          { key: "company", header: t("people.colCompany"), cell: (user) => user.company || "–" },
          {
            key: "email",
            header: t("people.colEmail"),
            cell: (user) => <span className="[overflow-wrap:anywhere]">{user.email}</span>,
          },
          { key: "role", header: t("people.colRole"), cell: (user) => t(`people.role.${user.role}`) },
          { key: "status", header: t("people.colStatus"), cell: (user) => t(`people.status.${user.status}`) },
          {
            key: "spaces",
            header: t("people.colSpaces"),
            align: "end",
            cell: (user) => (
              <Anchor
                href={`/space-list/${user.id}`}
                className={link}
                aria-label={`${t("people.spacesOf", { name: user.name })}: ${t("people.spacesUsed", user.spaces)}`}
              >
                {t("people.spacesUsed", user.spaces)}
              </Anchor>
            ),
          },
          {
            key: "library",
            header: t("people.colLibrary"),
            align: "end",
            cell: (user) => (
              <Anchor
                href={`/library/${user.id}`}
                className={link}
                aria-label={`${t("people.libraryOf", { name: user.name })}: ${t("people.storageUsed", user.storage)}`}
              >
                {t("people.storageUsed", user.storage)}
              </Anchor>
            ),
          },
        ]}
        rows={page.users}
        rowKey={(user) => user.id}
        empty={
          <EmptyState icon="search" title={t("people.emptyTitle", { q: page.q })}>
            {t("people.emptyText")}
          </EmptyState>
        }
      />
      <Pager {...pagerProps(page.page, search)} />
    </Container>
  );
}
