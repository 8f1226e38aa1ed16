import type { RequestContext } from "#functions/request-context";
import type { CurrentSession } from "#functions/services/auth/sessions";
import { can } from "~/domain/shared/permissions";

/** Returns the session of an administrator. @throws a redirect as `session.require`, and a 404 response for other users */
export async function requireAdministratorSession(
  context: Pick<RequestContext, "session">,
): Promise<CurrentSession> {
  const session = await context.session.require();
  if (can(session.actor, "list", { type: "user", id: null })) return session;
  throw new Response(null, { status: 404, statusText: "Not Found" });
}
