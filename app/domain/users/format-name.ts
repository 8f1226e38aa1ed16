import type { User } from "../shared/model";

const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Returns a person's name in the order of its script, or the e-mail address if there is no name. */
export function formatName(user: Pick<User, "firstName" | "lastName" | "email">): string {
  const { firstName, lastName } = user;
  const names = EAST_ASIAN.test(firstName + lastName) ? [lastName, firstName] : [firstName, lastName];
  return names.filter(Boolean).join(" ") || user.email;
}
