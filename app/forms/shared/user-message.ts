import type { MessageKey, MessageValues } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";

/** A message key with its interpolation values. */
export interface UserMessage {
  readonly key: string;
  readonly values?: MessageValues;
  /** Text in the page's language, for a service's message whose namespace may not be loaded. */
  readonly text?: string;
}

/** Prefix of a packed message that is a text. No message key starts with it. */
const TEXT_PREFIX = "=";

/** Packs a message into one string ("key", "key {values}" or "=text"), because the errors of a form are strings. */
export function packMessage({ key, values, text }: UserMessage): string {
  if (text !== undefined) return `${TEXT_PREFIX}${text}`;
  return values ? `${key} ${JSON.stringify(values)}` : key;
}

function unpackMessage(packed: string): UserMessage {
  const index = packed.indexOf(" ");
  return index === -1
    ? { key: packed }
    : { key: packed.slice(0, index), values: JSON.parse(packed.slice(index + 1)) };
}

/** Returns a function that translates a packed message into the page's language. */
export function useMessage(): (packed: string) => string {
  const { t } = useTranslation();
  return (packed) => {
    if (packed.startsWith(TEXT_PREFIX)) return packed.slice(TEXT_PREFIX.length);
    const { key, values } = unpackMessage(packed);
    // The keys come from schemas and services, whose tests check that the keys exist.
    return t(key as MessageKey, values);
  };
}

/** Returns the message of an expected failure for a page without fields: the message of the first field, or otherwise the general one. */
export const failureMessage = <Message>({
  userMessage,
  fields,
}: {
  readonly userMessage: Message;
  readonly fields: Readonly<Record<string, readonly Message[]>>;
}): Message => Object.values(fields).flat()[0] ?? userMessage;
