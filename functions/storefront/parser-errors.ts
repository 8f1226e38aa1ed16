/** Removes the messages of JSON and GraphQL parsers, which do not help an owner. */

/** JSON.parse of V8, multipart bodies in the store's client, and GraphQL's parsers (graphql-js, graphql-ruby). */
const PARSER_MESSAGE =
  /\b(in|valid|of) JSON\b|JSON (at|input)\b|Unexpected (token|end|non-whitespace|string|number|character)|Unterminated string|Bad control character|Error in parsing|Syntax ?Error|Parse error|unexpected token|Expected (property|double-quoted|',')/i;

/** The message of §8 for a response that cannot be read. */
const UNREADABLE =
  "GraphQL Client: An unknown error has occurred. The API did not return a data object or any errors in its response.";

/** Returns the client's message, or the one of §8 if it comes from a parser. */
export const withoutParserErrors = (message: string): string =>
  PARSER_MESSAGE.test(message) ? UNREADABLE : message;
