/** Replaces the messages of JSON and GraphQL parsers, which do not help an owner. */

/** Matches the messages of JSON.parse in V8, of the multipart parser in the store's client, and of GraphQL's parsers (graphql-js, graphql-ruby). */
const PARSER_MESSAGE =
  /\b(in|valid|of) JSON\b|JSON (at|input)\b|Unexpected (token|end|non-whitespace|string|number|character)|Unterminated string|Bad control character|Error in parsing|Syntax ?Error|Parse error|unexpected token|Expected (property|double-quoted|',')/i;

/** The message of specification §8 for a response that cannot be read. */
export const UNREADABLE_MESSAGE =
  "GraphQL Client: An unknown error has occurred. The API did not return a data object or any errors in its response.";

/** Returns the client's message, or the message of specification §8 if a parser wrote it. */
export const replaceParserMessage = (message: string): string =>
  PARSER_MESSAGE.test(message) ? UNREADABLE_MESSAGE : message;
