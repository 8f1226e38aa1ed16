import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";

/** Logging out changes state and therefore requires a POST; a GET redirects to the start page. */
export const loader = () => redirect("/");

export async function action({ context }: ActionFunctionArgs) {
  await context.session.end();
  return redirect("/login?toast=logged-out");
}
