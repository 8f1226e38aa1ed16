import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { safeNext } from "~/domain/auth/redirect";
import { toastNames } from "../shared/toast-names.server";
import { applyUndo } from "./undo.server";

/** Undoes the change that a toast reports: the toast's button posts here, and the user returns to its page. */
export async function action({ context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const form = await context.form.read();
  const { toast, names } = await applyUndo(context, actor, String(form.get("undo") ?? ""));
  const backUrl = new URL(safeNext(String(form.get("back") ?? ""), "/space-list"), "http://localhost");
  backUrl.searchParams.set("toast", toast);
  const { named } = toastNames(context, actor.userId, names);
  if (named) backUrl.searchParams.set("named", named);
  throw redirect(`${backUrl.pathname}${backUrl.search}`);
}
