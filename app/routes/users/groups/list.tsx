import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { CursorPager } from "~/components/cursor-pager";
import { DateTime } from "~/components/date-time";
import { Dialog } from "~/components/dialog";
import { PageHeader } from "~/components/page-header";
import { EmptyState } from "~/components/status/states";
import { Table } from "~/components/table";
import { readCursor } from "~/domain/shared/cursor";
import { createGroupSchema } from "~/domain/users/group.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { GroupForm } from "~/forms/users/group-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { cursorPagerProps } from "../../shared/cursor-pager-props";
import type { RouteHandle } from "../../shared/handle";
import { hrefWith } from "../../shared/href-with";
import { keepWithinSlice } from "../../shared/keep-within.server";
import { pageTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { requireAdministratorSession } from "../administrator.server";
import { AreaNav } from "../area-nav";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor, user } = await requireAdministratorSession(context);
  const { searchParams } = new URL(request.url);
  const trash = searchParams.get("show") === "trash";
  const cursor = readCursor(searchParams.get("cursor"));
  const list = await context.services.groups.listGroups({ actor, trash, cursor });
  keepWithinSlice(list, request);
  return {
    title: pageTitle(context, "users:group.title"),
    trash,
    timeZone: user.timeZone,
    groups: list.items,
    page: {
      ids: list.items.map(({ id }) => id),
      hasPrevious: list.hasPrevious,
      hasNext: list.hasNext,
      total: null,
    },
  };
}

export async function action({ context }: ActionFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const submission = parseWithZod(await context.form.read(), { schema: createGroupSchema() });
  if (submission.status !== "success") return data(submission.reply(), { status: 400 });
  const { name } = submission.value;
  const result = await context.attempt(context.services.groups.createGroup({ actor, name }));
  if (!result.ok) return data(rejectForm(submission, result.failure), { status: result.failure.status });
  throw redirect(`/groups/${result.value.id}?toast=group-created`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "users"],
  topBar: (_data, t: Translate) => ({ title: t("users:group.title") }),
};

export default function Groups() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const lastResult = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const { trash, groups } = page;
  const closeHref = hrefWith(searchParams, "dialog", null);
  const createButton = (
    <LinkButton href={hrefWith(searchParams, "dialog", "new")} icon="plus" variant="primary" keepScroll>
      {t("users:group.create")}
    </LinkButton>
  );
  return (
    <Container as="main" id="main" className="grid gap-6 py-8">
      <AreaNav current="groups" />
      <PageHeader
        title={t("users:group.title")}
        description={t("users:group.lead")}
        action={
          <div className="flex max-w-[calc(100vw-2rem)] flex-wrap gap-2">
            <LinkButton href={trash ? "/groups" : "/groups?show=trash"} variant="quiet">
              {trash ? t("users:group.showLive") : t("users:group.showTrash")}
            </LinkButton>
            {groups.length > 0 && createButton}
          </div>
        }
      />
      <div>
        <Table
          caption={t("users:group.caption")}
          rows={groups}
          rowsId="list"
          rowKey={(group) => group.id}
          empty={
            <EmptyState
              icon={trash ? "trash" : "users"}
              title={trash ? t("users:group.emptyTrash") : t("users:group.emptyTitle")}
              action={
                trash ? <LinkButton href="/groups">{t("users:group.showLive")}</LinkButton> : createButton
              }
            >
              {trash ? t("users:group.emptyTrashText") : t("users:group.emptyText")}
            </EmptyState>
          }
          columns={[
            {
              key: "name",
              header: t("users:group.colName"),
              cell: (group) => (
                <Anchor
                  href={`/groups/${group.id}`}
                  className="inline-flex min-h-10 items-center font-semibold text-ink hover:underline"
                >
                  {group.name}
                </Anchor>
              ),
            },
            {
              key: "members",
              header: t("users:group.colMembers"),
              align: "end",
              cell: (group) => t("users:group.members", { count: group.memberCount }),
            },
            {
              key: "created",
              header: trash ? t("users:list.deletedAt") : t("users:group.colCreated"),
              align: "end",
              cell: (group) => (
                <DateTime
                  instant={group.deletedAt ?? group.createdAt}
                  timeZone={page.timeZone}
                  time={false}
                />
              ),
            },
          ]}
        />
        <CursorPager {...cursorPagerProps(page.page, searchParams)} />
      </div>
      {(searchParams.get("dialog") === "new" || lastResult) && (
        <Dialog title={t("users:group.createTitle")} closeHref={closeHref} size="small">
          <GroupForm lastResult={lastResult} group={null} cancelHref={closeHref} />
        </Dialog>
      )}
    </Container>
  );
}
