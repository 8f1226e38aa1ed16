import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { User, Uuid } from "~/domain/shared/model";
import { formatName } from "~/i18n/format";
import type { FoundPeople } from "./members";

/** A user as a row of a group's page. */
export const toPerson = (
  user: Pick<User, "id" | "firstName" | "lastName" | "companyName" | "email" | "status">,
) => ({
  id: user.id,
  name: formatName(user),
  detail: [user.companyName, user.email].filter(Boolean).join(" · "),
  status: user.status,
});

/** Users whose name, company or address matches a text; members of the group are marked. */
export async function findGroupCandidates(
  context: AppLoadContext,
  actor: Actor,
  groupId: Uuid,
  q: string,
): Promise<FoundPeople> {
  const { users, hasMore } = await context.services.groups.findCandidates({ actor, groupId, q });
  return { users: users.map((user) => ({ ...toPerson(user), isMember: user.isMember })), hasMore };
}
