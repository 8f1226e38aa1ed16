import type { MessageTree } from "./messages";

/** The keys of a tree of messages, with 0 in place of each text. */
export interface KeyTree {
  readonly [key: string]: 0 | KeyTree;
}

/** The texts of a tree of messages, in the order of its `KeyTree`. A key without a text has null. */
export type TextTree = readonly (string | null | TextTree)[];

/** Lists the texts of a tree of messages. */
export const listTexts = (keys: KeyTree, messages: MessageTree): TextTree =>
  Object.entries(keys).map(([key, subkeys]) => {
    const message = messages[key] ?? null;
    return typeof message === "object" && message ? listTexts(subkeys as KeyTree, message) : message;
  });

/** Restores the tree of messages from the result of `listTexts`. */
export function joinTrees(keys: KeyTree, texts: TextTree): MessageTree {
  const messages: Record<string, string | MessageTree> = {};
  Object.entries(keys).forEach(([key, subkeys], index) => {
    const text = texts[index] ?? null;
    if (text !== null) messages[key] = typeof text === "string" ? text : joinTrees(subkeys as KeyTree, text);
  });
  return messages;
}
