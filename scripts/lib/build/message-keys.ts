import type { MessageTree, Namespace } from "../../../app/i18n/messages";
import { NAMESPACES } from "../../../app/i18n/namespaces";

const KEY = new RegExp(`(["'\`])((${NAMESPACES.join("|")}):[\\w.]*)(\\1|\\$\\{)`, "g");

/** A message key in the code, or the prefix of a key that the code completes at run time. */
export interface MessageKeyUse {
  readonly namespace: Namespace;
  readonly path: string;
  readonly isWhole: boolean;
  /** Offset in the text. */
  readonly position: number;
}

/** Finds the message keys in source text. */
export const findMessageKeys = (code: string): readonly MessageKeyUse[] =>
  [...code.matchAll(KEY)].map(({ 2: key = "", 3: namespace, 4: end, index }) => ({
    namespace: namespace as Namespace,
    path: key.slice(key.indexOf(":") + 1),
    isWhole: end !== "${",
    position: index,
  }));

/** Paths of all messages in a tree. */
export const messagePaths = (tree: MessageTree, prefix = ""): readonly string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [prefix + key] : messagePaths(value, `${prefix}${key}.`),
  );
