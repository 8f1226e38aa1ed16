import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";

/** Logging out changes something, so it is a post; its address alone leads to the start. */
export const loader = () => redirect("/");

export async function action({ context }: ActionFunctionArgs) {
  await context.session.end();
  return redirect("/login?toast=logged-out");
}
