import type { User } from "../shared/model";

const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** A person's name in the order of the script it is written in, or the address when there is none. */
export function formatName(user: Pick<User, "firstName" | "lastName" | "email">): string {
  const { firstName, lastName } = user;
  const names = EAST_ASIAN.test(firstName + lastName) ? [lastName, firstName] : [firstName, lastName];
  return names.filter(Boolean).join(" ") || user.email;
}
