import { parseWithZod } from "@conform-to/zod/v4";
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
} from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { Notice } from "~/components/status/notice";
import type { Actor } from "~/domain/auth/actor";
import { safeNext } from "~/domain/auth/redirect";
import { createSharingSchema } from "~/domain/folders/sharing.schema";
import { searchKey } from "~/domain/shared/text";
import { rejectForm } from "~/forms/shared/reject-form";
import { SharingForm } from "~/forms/users/sharing-form";
import { formatName } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { toastNames } from "../shared/toast-names.server";
import { useActionResult } from "../shared/unsent-form";
import { uuidParam } from "../shared/uuid-param";

const KINDS = ["space", "folder", "media"] as const;

/** Item of the URL; 404 for a type that cannot be shared. */
function readItemRef(params: LoaderFunctionArgs["params"]) {
  const kind = KINDS.find((candidate) => candidate === params.kind);
  if (!kind) throw new Response(null, { status: 404, statusText: "Not Found" });
  return { kind, id: uuidParam(params.uuid) };
}

/** Page of the item: a space's settings, the folder itself, or for a media item the library. */
async function itemHref(context: AppLoadContext, actor: Actor, { kind, id }: ReturnType<typeof readItemRef>) {
  if (kind === "space") return `/space/${id}/settings`;
  if (kind === "media") return "/library";
  const { folder } = await context.services.tree.getPath({ actor, folderId: id });
  return `${folder.folderType === "space" ? "/space-list" : "/library"}/folders/${id}`;
}

/** Page from which the user came, for the return; `defaultHref` if it is unknown. */
const returnHref = (request: Request, defaultHref: string) =>
  safeNext(new URL(request.url).searchParams.get("back"), defaultHref);

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const itemRef = readItemRef(params);
  const sharing = await context.services.groups.getSharing({ actor, ...itemRef });
  const q = new URL(request.url).searchParams.get("find") ?? "";
  const normalizedQuery = searchKey(q.trim());
  const groups = sharing.groups.map(({ members, ...group }) => ({
    ...group,
    members:
      members?.map(({ id, email, ...name }) => ({ id, email, name: formatName({ email, ...name }) })) ?? null,
  }));
  const matches = groups.filter(({ name, members }) =>
    [name, ...(members ?? []).map((member) => `${member.name} ${member.email}`)].some((text) =>
      searchKey(text).includes(normalizedQuery),
    ),
  );
  return {
    title: pageTitle(context, "spaces:sharing.title"),
    backHref: returnHref(request, await itemHref(context, actor, itemRef)),
    q,
    isNoneFound: matches.length === 0,
    showsMembers: groups.some(({ members }) => members !== null),
    sharing: {
      ...sharing,
      groups: groups.filter((group) => matches.includes(group) || group.id === sharing.groupId),
    },
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const itemRef = readItemRef(params);
  const { groups } = context.services;
  const form = await context.form.read();
  const submission = parseWithZod(form, { schema: createSharingSchema() });
  // An empty field means that the item is not shared; a form without the field is invalid.
  const missingErrors = form.has("groupId") ? undefined : { groupId: ["users:errors.groupChoice"] };
  if (submission.status !== "success" || missingErrors) {
    await groups.getSharing({ actor, ...itemRef });
    return data(submission.reply({ fieldErrors: missingErrors }), { status: 400 });
  }
  const { groupId } = submission.value;
  const result = await context.attempt(groups.changeGroup({ actor, ...itemRef, groupId }));
  if (!result.ok) {
    if (result.failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    return data(rejectForm(submission, result.failure), { status: result.failure.status });
  }
  const backUrl = new URL(returnHref(request, await itemHref(context, actor, itemRef)), "http://localhost");
  backUrl.searchParams.set("toast", groupId === null ? "sharing-ended" : "sharing-saved");
  const { groups: allGroups } = await groups.getSharing({ actor, ...itemRef });
  const names = allGroups.flatMap(({ id, name }) => (id === groupId ? [name] : []));
  const { named } = toastNames(context, actor.userId, names);
  if (named) backUrl.searchParams.set("named", named);
  throw redirect(`${backUrl.pathname}${backUrl.search}`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "spaces", "users"],
  topBar: (_data, t: Translate) => ({ title: t("spaces:sharing.title") }),
};

export default function Sharing() {
  const { t } = useTranslation();
  const { sharing, backHref, q, isNoneFound, showsMembers } = useLoaderData<typeof loader>();
  const lastResult = useActionResult<typeof action>();
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={t("spaces:sharing.titleOf", { name: sharing.name })}
        breadcrumbs={[{ label: t("spaces:sharing.back"), href: backHref }]}
        description={t("spaces:sharing.lead")}
      />
      {sharing.mayChange ? (
        <>
          {sharing.groups.length === 0 && q === "" && <Notice>{t("spaces:sharing.noGroups")}</Notice>}
          <SharingForm
            groups={sharing.groups}
            groupId={sharing.groupId}
            q={q}
            isNoneFound={isNoneFound}
            showsMembers={showsMembers}
            lastResult={lastResult}
            cancelHref={backHref}
          />
        </>
      ) : (
        <Notice>{t("spaces:sharing.ownerOnly")}</Notice>
      )}
    </Container>
  );
}
