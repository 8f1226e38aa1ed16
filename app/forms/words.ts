import type { MessageKey, MessageValues } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";

/** Words for people, by key, with the values they name. */
export interface MessageWords {
  readonly key: string;
  readonly values?: MessageValues;
  /** The text in the page's language, of messages that come from a service. Their namespace may not be loaded. */
  readonly text?: string;
}

/** Begins a packed message that is a text already. No key begins with it. */
const TEXT = "=";

/** A message as one string, so that it can travel in a form's result among schema messages, which are keys alone. */
export function packWords({ key, values, text }: MessageWords): string {
  if (text !== undefined) return `${TEXT}${text}`;
  return values ? `${key} ${JSON.stringify(values)}` : key;
}

function unpackWords(packed: string): MessageWords {
  const at = packed.indexOf(" ");
  return at === -1 ? { key: packed } : { key: packed.slice(0, at), values: JSON.parse(packed.slice(at + 1)) };
}

/** Turns a packed message into words in the page's language. */
export function useMessage(): (packed: string) => string {
  const { t } = useTranslation();
  return (packed) => {
    if (packed.startsWith(TEXT)) return packed.slice(TEXT.length);
    const { key, values } = unpackWords(packed);
    // The keys come from schemas and services; the tests of app/domain and the services' tests prove that they exist.
    return t(key as MessageKey, values);
  };
}

/** What a page without fields says of an expected failure: what is wrong with the first of them, where one is to blame. */
export const wordsOf = <W>({
  words,
  fields,
}: {
  readonly words: W;
  readonly fields: Readonly<Record<string, readonly W[]>>;
}): W => Object.values(fields).flat()[0] ?? words;
