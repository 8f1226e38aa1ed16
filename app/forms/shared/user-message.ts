import type { MessageKey, MessageValues } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";

/** A message key with its interpolation values. */
export interface UserMessage {
  readonly key: string;
  readonly values?: MessageValues;
  /** Text in the page's language, for messages from a service whose namespace may not be loaded. */
  readonly text?: string;
}

/** Prefix of a packed message that is already text. No key begins with it. */
const TEXT = "=";

/** Packs a message into one string, so that a form's result can contain it beside schema messages, which are only keys. */
export function packMessage({ key, values, text }: UserMessage): string {
  if (text !== undefined) return `${TEXT}${text}`;
  return values ? `${key} ${JSON.stringify(values)}` : key;
}

function unpackMessage(packed: string): UserMessage {
  const at = packed.indexOf(" ");
  return at === -1 ? { key: packed } : { key: packed.slice(0, at), values: JSON.parse(packed.slice(at + 1)) };
}

/** Returns a function that translates a packed message into the page's language. */
export function useMessage(): (packed: string) => string {
  const { t } = useTranslation();
  return (packed) => {
    if (packed.startsWith(TEXT)) return packed.slice(TEXT.length);
    const { key, values } = unpackMessage(packed);
    // The keys come from schemas and services; the tests of app/domain and the services' tests prove that they exist.
    return t(key as MessageKey, values);
  };
}

/** Returns the message of an expected failure for a page without fields: the first field's message, or else the general one. */
export const failureMessage = <W>({
  userMessage,
  fields,
}: {
  readonly userMessage: W;
  readonly fields: Readonly<Record<string, readonly W[]>>;
}): W => Object.values(fields).flat()[0] ?? userMessage;
