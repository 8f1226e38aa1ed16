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

/**
 * Restores the messages of a language by namespace. Each namespace is restored when it is first read, because a page reads few of them.
 * @param keys a line of JSON with the names of the namespaces, and a line with the `KeyTree` of each
 * @param texts a line of JSON for each namespace: its `TextTree`, or null if the language lacks it
 */
export function unpackTrees(keys: string, texts: string): Readonly<Record<string, MessageTree>> {
  const [names = "[]", ...keyLines] = keys.split("\n");
  const textLines = texts.split("\n");
  const namespaces = {};
  for (const [index, name] of (JSON.parse(names) as string[]).entries()) {
    const [keyLine = "", textLine = "null"] = [keyLines[index], textLines[index]];
    if (textLine === "null") continue;
    const read = () => joinTrees(JSON.parse(keyLine) as KeyTree, JSON.parse(textLine) as TextTree);
    Object.defineProperty(namespaces, name, { enumerable: true, get: read });
  }
  return namespaces;
}

/** Restores the tree of messages from the result of `listTexts`. */
function joinTrees(keys: KeyTree, texts: TextTree): MessageTree {
  const messages: Record<string, string | MessageTree> = {};
  Object.entries(keys).forEach(([key, subkeys], index) => {
    const text = texts[index] ?? null;
    if (text !== null) messages[key] = typeof text === "string" ? text : joinTrees(subkeys as KeyTree, text);
  });
  return messages;
}
