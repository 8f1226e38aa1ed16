import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { isUuid } from "~/domain/shared/ids";
import { createGroupRenameSchema } from "~/domain/users/group.schema";
import { refuse } from "~/forms/result";
import { packWords } from "~/forms/words";
import { uuidParam } from "../../shared/ids";
import { requireAdministrator } from "../administrator.server";

const TOASTS = { add: "member-added", remove: "member-removed", restore: "group-restored" } as const;

/** The page of one group: its name, its members, the trash. */
export async function groupAction({ request, params, context }: ActionFunctionArgs) {
  const { actor } = await requireAdministrator(context);
  const groupId = uuidParam(params.groupUuid);
  const form = await context.form.read();
  const { groups } = context.services;
  const act = form.get("act");
  const nothing = { lastResult: null, saved: null, refused: null };
  const restore = () => context.attempt(groups.restoreGroup({ actor, groupId }));
  if (act === "rename") {
    const submission = parseWithZod(form, { schema: createGroupRenameSchema() });
    if (submission.status !== "success")
      return data({ ...nothing, lastResult: submission.reply() }, { status: 400 });
    const { name, version } = submission.value;
    // Out of the trash first, which counts as a save. Whoever was quicker has saved one, too.
    const restored = form.has("restore") && (await restore()).ok;
    const result = await context.attempt(
      groups.renameGroup({ actor, groupId, name, version: version + (restored ? 1 : 0) }),
    );
    if (!result.ok) {
      const { failure } = result;
      if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
      return data({ ...nothing, lastResult: refuse(submission, failure) }, { status: failure.status });
    }
    if ("saved" in result.value)
      return data({ ...nothing, lastResult: submission.reply(), saved: result.value.saved }, { status: 409 });
    throw redirect(`/groups/${groupId}?toast=group-saved`);
  }
  if (act === "delete") {
    await groups.deleteGroup({ actor, groupId });
    throw redirect("/groups?toast=group-removed");
  }
  const userId = form.get("userId");
  if (act === "restore") {
    const result = await restore();
    if (!result.ok) {
      const [words] = result.failure.fields.name ?? [];
      if (!words) throw new Response(null, { status: 404, statusText: "Not Found" });
      return data({ ...nothing, refused: packWords(words) }, { status: 400 });
    }
  } else if ((act === "add" || act === "remove") && isUuid(userId))
    await (act === "add" ? groups.addMember : groups.removeMember)({ actor, groupId, userId });
  else throw new Response(null, { status: 400, statusText: "Bad Request" });
  const { searchParams } = new URL(request.url);
  searchParams.set("toast", TOASTS[act]);
  throw redirect(`/groups/${groupId}?${searchParams}`);
}
