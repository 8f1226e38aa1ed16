import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { packMessage } from "~/forms/shared/user-message";

/** Redirects people who open the URL, because this resource route has no page. */
export function loader() {
  throw redirect("/login");
}

/** Returns the challenge for a log-in or reauthentication with a passkey. Only scripts call it. */
export async function action({ context }: ActionFunctionArgs) {
  const result = await context.attempt(
    context.services.passkeys.beginPasskeyLogIn({ network: context.client.network }),
  );
  return result.ok
    ? { options: result.value, failure: null }
    : data(
        { options: null, failure: packMessage(result.failure.userMessage) },
        { status: result.failure.status },
      );
}
