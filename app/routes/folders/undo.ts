import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { safeNext } from "~/domain/auth/redirect";
import { applyUndo } from "./undo.server";

/** Undoes the last change of a list: the button of a toast posts here, and returns to its page. */
export async function action({ context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const form = await context.form.read();
  const isUndone = await applyUndo(context, actor, String(form.get("undo") ?? ""));
  const back = new URL(safeNext(String(form.get("back") ?? ""), "/space-list"), "http://localhost");
  back.searchParams.set("toast", isUndone ? "undone" : "not-undone");
  throw redirect(`${back.pathname}${back.search}`);
}
