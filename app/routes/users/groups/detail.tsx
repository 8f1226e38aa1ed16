import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Form, type MetaFunction, useLoaderData, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { Button, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { CursorPager } from "~/components/cursor-pager";
import { Dialog } from "~/components/dialog";
import { PageHeader } from "~/components/page-header";
import { Notice } from "~/components/status/notice";
import { readCursor } from "~/domain/shared/cursor";
import { SEARCH_MAX } from "~/domain/shared/limits";
import { useMessage } from "~/forms/shared/user-message";
import { GroupForm } from "~/forms/users/group-form";
import { formatName } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { cursorPagerProps } from "../../shared/cursor-pager-props";
import type { RouteHandle } from "../../shared/handle";
import { hrefWith } from "../../shared/href-with";
import { keepWithinSlice } from "../../shared/keep-within.server";
import { namedTitle } from "../../shared/title";
import { useActionResult } from "../../shared/unsent-form";
import { uuidParam } from "../../shared/uuid-param";
import { requireAdministratorSession } from "../administrator.server";
import { groupAction } from "./group-action";
import { FindMembers, MemberList } from "./members";
import { findGroupCandidates, toPerson } from "./people.server";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const groupId = uuidParam(params.groupUuid);
  const { searchParams } = new URL(request.url);
  const q = (searchParams.get("find") ?? "").slice(0, SEARCH_MAX).trim();
  const { groups } = context.services;
  const [detail, foundPeople] = await Promise.all([
    groups.getGroup({ actor, groupId, cursor: readCursor(searchParams.get("cursor")) }),
    q === "" ? null : findGroupCandidates(context, actor, groupId, q),
  ]);
  const { members } = detail;
  keepWithinSlice(members, request);
  return {
    title: namedTitle(context, detail.group.name),
    group: detail.group,
    q,
    found: foundPeople,
    members: members.items.map(toPerson),
    page: {
      ids: members.items.map(({ id }) => id),
      hasPrevious: members.hasPrevious,
      hasNext: members.hasNext,
      total: null,
    },
    shared: detail.shared.map(({ owner, ...item }) => ({
      ...item,
      owner: formatName(owner),
      ownerId: owner.id,
    })),
    hasMoreShared: detail.hasMoreShared,
  };
}

export const action = groupAction;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "users"],
  topBar: (_data, t: Translate) => ({ title: t("users:group.title") }),
};

export default function GroupPage() {
  const { t } = useTranslation();
  const page = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const [searchParams] = useSearchParams();
  const message = useMessage();
  const { group } = page;
  const inTrash = group.deletedAt !== null;
  const closeHref = hrefWith(searchParams, "dialog", null);
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={group.name}
        breadcrumbs={[{ label: t("users:group.title"), href: "/groups" }]}
        description={t("users:group.members", { count: group.memberCount })}
        action={
          !inTrash && (
            <LinkButton href={hrefWith(searchParams, "dialog", "rename")} icon="edit" keepScroll>
              {t("users:group.rename")}
            </LinkButton>
          )
        }
      />
      {result?.rejection && (
        <Notice tone="danger" live>
          {message(result.rejection)}
        </Notice>
      )}
      {inTrash && <Notice tone="warning">{t("users:group.inTrash")}</Notice>}
      {!inTrash && <FindMembers groupId={group.id} q={page.q} searchResult={page.found} />}
      <GroupSection title={t("users:group.memberList")}>
        <MemberList members={page.members} isReadOnly={inTrash} />
        <CursorPager {...cursorPagerProps(page.page, searchParams)} />
      </GroupSection>
      <GroupSection title={t("users:group.shared")}>
        {page.shared.length === 0 && (
          <p className="text-sm text-muted text-phrase">{t("users:group.nothingShared")}</p>
        )}
        <ul>
          {page.shared.map((item) => (
            <li
              key={item.id}
              className="flex flex-wrap items-center gap-x-3 border-b border-line py-2 text-sm"
            >
              <span className="w-20 shrink-0 text-xs text-muted">{t(`users:group.kind.${item.kind}`)}</span>
              <Anchor
                href={sharedItemHref(item)}
                className="inline-flex min-h-8 items-center font-semibold text-ink hover:underline"
              >
                {item.name || t("users:group.rootFolder")}
              </Anchor>
              <span className="text-muted">{t("users:group.owner", { name: item.owner })}</span>
            </li>
          ))}
        </ul>
        {page.hasMoreShared && <p className="pt-2 text-sm text-muted">{t("users:group.sharedMore")}</p>}
      </GroupSection>
      <Form method="post" className="grid justify-items-start gap-2 border-t border-line pt-6">
        <Button
          type="submit"
          name="act"
          value={inTrash ? "restore" : "delete"}
          icon={inTrash ? "undo" : "trash"}
        >
          {inTrash ? t("users:group.restore") : t("users:group.delete")}
        </Button>
        {!inTrash && <p className="text-xs text-muted text-phrase">{t("users:group.deleteHint")}</p>}
      </Form>
      {(result?.lastResult || (!inTrash && searchParams.get("dialog") === "rename")) && (
        <Dialog title={t("users:group.rename")} closeHref={closeHref} size="small">
          {result?.saved && (
            <div className="mb-4">
              <Notice tone="warning" live>
                {result.saved.deletedAt === null
                  ? t("users:group.conflict", { name: result.saved.name })
                  : t("users:group.trashed")}
              </Notice>
            </div>
          )}
          <GroupForm
            lastResult={result?.lastResult}
            group={result?.saved ?? group}
            restores={inTrash}
            cancelHref={closeHref}
          />
        </Dialog>
      )}
    </Container>
  );
}

function sharedItemHref({
  kind,
  id,
  ownerId,
}: {
  readonly kind: string;
  readonly id: string;
  readonly ownerId: string;
}) {
  if (kind === "space") return `/space/${id}`;
  return kind === "folder" ? `/space-list/${ownerId}/folders/${id}` : `/library/${ownerId}`;
}

function GroupSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <div>{children}</div>
    </section>
  );
}
