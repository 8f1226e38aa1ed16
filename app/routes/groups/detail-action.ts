import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { createGroupRenameSchema } from "~/domain/group.schema";
import { isUuid } from "~/domain/ids";
import { requireAdministrator } from "../shared/administrator.server";
import { uuidParam } from "../shared/ids";

const TOASTS = { add: "member-added", remove: "member-removed", restore: "group-restored" } as const;

/** The page of one group: its name, its members, the trash. */
export async function groupAction({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await requireAdministrator(context);
  const groupId = uuidParam(params.groupUuid);
  const form = await context.readForm();
  const { groups } = context.services;
  const act = form.get("act");
  if (act === "rename") {
    const submission = parseWithZod(form, { schema: createGroupRenameSchema() });
    if (submission.status !== "success")
      return data({ lastResult: submission.reply(), saved: null }, { status: 400 });
    const result = await groups.renameGroup({ actor, groupId, ...submission.value });
    if (result.status === "conflict")
      return data({ lastResult: submission.reply(), saved: result.saved }, { status: 409 });
    throw redirect(`/groups/${groupId}?toast=group-saved`);
  }
  if (act === "delete") {
    await groups.deleteGroup({ actor, groupId });
    throw redirect("/groups?toast=group-removed");
  }
  const userId = form.get("userId");
  if (act === "restore") await groups.restoreGroup({ actor, groupId });
  else if ((act === "add" || act === "remove") && isUuid(userId))
    await (act === "add" ? groups.addMember : groups.removeMember)({ actor, groupId, userId });
  else throw new Response(null, { status: 400, statusText: "Bad Request" });
  const { searchParams } = new URL(request.url);
  searchParams.set("toast", TOASTS[act]);
  throw redirect(`/groups/${groupId}?${searchParams}`);
}
