import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Container } from "~/components/container";
import { CursorPager } from "~/components/cursor-pager";
import { DateTime } from "~/components/date-time";
import { PageHeader } from "~/components/page-header";
import { EmptyState } from "~/components/status/states";
import { Table } from "~/components/table";
import { readCursor } from "~/domain/shared/cursor";
import { isUuid } from "~/domain/shared/ids";
import { parseAuditFilters } from "~/domain/users/audit-query";
import { languages } from "~/i18n/languages.server";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { cursorPagerProps } from "../../shared/cursor-pager-props";
import type { RouteHandle } from "../../shared/handle";
import { keepWithinSlice } from "../../shared/keep-within.server";
import { pageTitle } from "../../shared/title";
import { requireAdministratorSession } from "../administrator.server";
import { AreaNav } from "../area-nav";
import { AuditFilterForm } from "./audit-filter-form";
import { describeAuditEntry } from "./describe-audit-entry";

const EMPTY_AUDIT_PAGE = { person: null, items: [], hasPrevious: false, hasNext: false };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor, user } = await requireAdministratorSession(context);
  const { searchParams } = new URL(request.url);
  const { typed, errors, ...query } = parseAuditFilters(searchParams, user.timeZone);
  const cursor = readCursor(searchParams.get("cursor"));
  const personQuery = typed.person;
  const hasErrors = Object.keys(errors).length > 0;
  const auditPage = hasErrors
    ? EMPTY_AUDIT_PAGE
    : await context.services.auditLog.listAudit({
        actor,
        person: personQuery || null,
        query: { ...query, cursor },
      });
  if (!hasErrors) keepWithinSlice(auditPage, request);
  const { t } = languages[context.lang];
  return {
    title: pageTitle(context, "users:auditLog.title"),
    timeZone: user.timeZone,
    // A link to the entries of a person contains the id; the field shows the email address instead.
    typed: {
      ...typed,
      person: auditPage.person && isUuid(personQuery) ? auditPage.person.email : personQuery,
    },
    errors: {
      ...errors,
      ...(!hasErrors &&
        personQuery !== "" &&
        auditPage.person === null && { person: "users:auditLog.personUnknown" }),
    },
    // The browser receives the id, time and sentences of an entry; the rest of the entry stays on the server.
    entries: auditPage.items.map((row) => ({
      id: row.id,
      at: row.at,
      ...describeAuditEntry(row, t, context.lang),
    })),
    page: {
      ids: auditPage.items.map(({ id }) => id),
      hasPrevious: auditPage.hasPrevious,
      hasNext: auditPage.hasNext,
      total: null,
    },
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "users"],
  topBar: (_data, t: Translate) => ({ title: t("users:auditLog.title") }),
};

export default function AuditLog() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const [searchParams] = useSearchParams();
  return (
    <Container as="main" id="main" className="grid gap-6 py-8">
      <AreaNav current="audit" />
      <PageHeader title={t("users:auditLog.title")} />
      <AuditFilterForm typed={page.typed} errors={page.errors} />
      <div>
        <Table
          caption={t("users:auditLog.caption")}
          rows={page.entries}
          rowKey={(entry) => entry.id}
          empty={
            <EmptyState icon="clock" title={t("users:auditLog.emptyTitle")}>
              {t("users:auditLog.emptyText")}
            </EmptyState>
          }
          columns={[
            {
              key: "at",
              header: t("users:auditLog.colAt"),
              className: "whitespace-nowrap",
              cell: (entry) => (
                <span className="font-normal tabular-nums">
                  <DateTime instant={entry.at} timeZone={page.timeZone} />
                </span>
              ),
            },
            {
              key: "what",
              phone: "value",
              header: t("users:auditLog.colWhat"),
              className: "w-full",
              cell: (entry) => (
                <div className="py-2">
                  <p>{entry.text}</p>
                  {entry.details.map((line) => (
                    <p key={line} className="text-xs text-muted wrap-anywhere">
                      {line}
                    </p>
                  ))}
                </div>
              ),
            },
          ]}
        />
        <CursorPager {...cursorPagerProps(page.page, searchParams)} />
      </div>
    </Container>
  );
}
