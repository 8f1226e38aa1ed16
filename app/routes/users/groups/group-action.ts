import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { isUuid } from "~/domain/shared/ids";
import { createGroupRenameSchema } from "~/domain/users/group.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { packMessage } from "~/forms/shared/user-message";
import { toastNames } from "../../shared/toast-names.server";
import { uuidParam } from "../../shared/uuid-param";
import { requireAdministratorSession } from "../administrator.server";

const TOASTS = { add: "member-added", remove: "member-removed", restore: "group-restored" } as const;

/** Handles the forms of a group's page: its name, its members and the trash. */
export async function groupAction({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const groupId = uuidParam(params.groupUuid);
  const form = await context.form.read();
  const { groups } = context.services;
  const action = form.get("act");
  const emptyResult = { lastResult: null, saved: null, rejection: null };
  const restore = () => context.attempt(groups.restoreGroup({ actor, groupId }));
  if (action === "rename") {
    const submission = parseWithZod(form, { schema: createGroupRenameSchema() });
    if (submission.status !== "success")
      return data({ ...emptyResult, lastResult: submission.reply() }, { status: 400 });
    const { name, version } = submission.value;
    // Restoring increments the version. If another administrator has already restored the group, the versions differ, which is a conflict.
    const isRestored = form.has("restore") && (await restore()).ok;
    const result = await context.attempt(
      groups.renameGroup({ actor, groupId, name, version: version + (isRestored ? 1 : 0) }),
    );
    if (!result.ok) {
      const { failure } = result;
      if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
      return data(
        { ...emptyResult, lastResult: rejectForm(submission, failure) },
        { status: failure.status },
      );
    }
    if ("saved" in result.value)
      return data(
        { ...emptyResult, lastResult: submission.reply(), saved: result.value.saved },
        { status: 409 },
      );
    throw redirect(`/groups/${groupId}?toast=group-saved`);
  }
  if (action === "delete") {
    const { group } = await groups.getGroup({ actor, groupId });
    await groups.deleteGroup({ actor, groupId });
    const toastParams = toastNames(context, actor.userId, [group.name]);
    throw redirect(`/groups?${new URLSearchParams({ toast: "group-removed", ...toastParams })}`);
  }
  const userId = form.get("userId");
  if (action === "restore") {
    const result = await restore();
    if (!result.ok) {
      const [message] = result.failure.fields.name ?? [];
      if (!message) throw new Response(null, { status: 404, statusText: "Not Found" });
      return data({ ...emptyResult, rejection: packMessage(message) }, { status: 400 });
    }
  } else if ((action === "add" || action === "remove") && isUuid(userId))
    await (action === "add" ? groups.addMember : groups.removeMember)({ actor, groupId, userId });
  else throw new Response(null, { status: 400, statusText: "Bad Request" });
  const { searchParams } = new URL(request.url);
  searchParams.set("toast", TOASTS[action]);
  throw redirect(`/groups/${groupId}?${searchParams}`);
}
