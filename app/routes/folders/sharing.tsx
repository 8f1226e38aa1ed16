import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Container } from "~/components/container";
import { PageHeader } from "~/components/page-header";
import { Notice } from "~/components/status/notice";
import { createSharingSchema } from "~/domain/folders/sharing.schema";
import { refuse } from "~/forms/shared/result";
import { SharingForm } from "~/forms/users/sharing-form";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import type { RouteHandle } from "../shared/handle";
import { uuidParam } from "../shared/ids";
import { pageTitle } from "../shared/title";
import { useAnswer } from "../shared/unsent-form";

const KINDS = ["space", "folder", "media"] as const;

/** Item of the address; 404 for a type that cannot be shared. */
function thingOf(params: LoaderFunctionArgs["params"]) {
  const kind = KINDS.find((known) => known === params.kind);
  if (!kind) throw new Response(null, { status: 404, statusText: "Not Found" });
  return { kind, id: uuidParam(params.uuid) };
}

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const thing = thingOf(params);
  const sharing = await context.services.groups.getSharing({ actor, ...thing });
  const folder =
    thing.kind === "folder"
      ? (await context.services.tree.getPath({ actor, folderId: thing.id })).folder
      : null;
  return {
    title: pageTitle(context, "spaces:sharing.title"),
    backHref:
      thing.kind === "space"
        ? `/space/${thing.id}/settings`
        : `${folder?.folderType === "space" ? "/space-list" : "/library"}${folder ? `/folders/${folder.id}` : ""}`,
    sharing,
  };
}

export async function action({ params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const thing = thingOf(params);
  const { groups } = context.services;
  const form = await context.form.read();
  const submission = parseWithZod(form, { schema: createSharingSchema() });
  // An empty field means that the item is not shared; a form without the field is invalid.
  const missing = form.has("groupId") ? undefined : { groupId: ["users:errors.groupChoice"] };
  if (submission.status !== "success" || missing) {
    await groups.getSharing({ actor, ...thing });
    return data(submission.reply({ fieldErrors: missing }), { status: 400 });
  }
  const { groupId } = submission.value;
  const result = await context.attempt(groups.changeGroup({ actor, ...thing, groupId }));
  if (!result.ok) {
    if (result.failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
    return data(refuse(submission, result.failure), { status: result.failure.status });
  }
  const back = thing.kind === "space" ? `/space/${thing.id}/settings` : `/sharing/${thing.kind}/${thing.id}`;
  throw redirect(`${back}?toast=${groupId === null ? "sharing-ended" : "sharing-saved"}`);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["shared-owners", "spaces", "users"],
  topBar: (_data, t: Translate) => ({ title: t("spaces:sharing.title") }),
};

export default function Sharing() {
  const { t } = useTranslation();
  const { sharing, backHref } = useLoaderData<typeof loader>();
  const lastResult = useAnswer<typeof action>();
  return (
    <Container as="main" id="main" width="form" className="grid gap-8 py-8">
      <PageHeader
        title={t("spaces:sharing.titleOf", { name: sharing.name })}
        breadcrumbs={[{ label: t("spaces:sharing.back"), href: backHref }]}
        description={t("spaces:sharing.lead")}
      />
      {sharing.mayChange ? (
        <>
          {sharing.groups.length === 0 && <Notice>{t("spaces:sharing.noGroups")}</Notice>}
          <SharingForm
            groups={sharing.groups}
            groupId={sharing.groupId}
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
