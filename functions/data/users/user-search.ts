import type { Role, UserStatus } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { keyWords, phrase } from "../shared/full-text";

/** The words of a search text, normalised like the column users.search_key. */
export const searchWords = (q: string): readonly string[] => keyWords(nameKey(q));

/** Token of a role or a status in the full-text table. */
const roleToken = (role: Role) => `"role${role}"`;
const statusToken = (status: UserStatus) => `"status${status.toLowerCase().replaceAll("_", "")}"`;

/**
 * The query for the full-text table user_search (`grams`: pairs of characters; `facets`: role and status), for a text whose words must all occur in a user's names, company or address; null if there is no word. The words become
 * hexadecimal digits, and role and status are fixed words, so the text cannot change the query.
 */
export function userMatch(q: string, role: Role | null, status: UserStatus | null): string | null {
  const words = searchWords(q);
  if (words.length === 0) return null;
  return [
    ...words.map((word) => `grams : ${phrase(word)}`),
    ...(role === null ? [] : [`facets : ${roleToken(role)}`]),
    ...(status === null ? [] : [`facets : ${statusToken(status)}`]),
  ]
    .map((term) => `(${term})`)
    .join(" AND ");
}
