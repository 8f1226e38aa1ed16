import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";

/** What a script asks before it has a passkey answer at the log-in; GET has nothing to show. */
export function loader() {
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

export async function action({ context }: ActionFunctionArgs) {
  const result = await context.attempt(context.services.passkeys.beginPasskeyLogIn({ ip: context.ip }));
  return result.ok
    ? { options: result.value, failure: null }
    : data({ options: null, failure: result.failure.words }, { status: result.failure.status });
}
