import { expect, it } from "vitest";
import { replaceParserMessage } from "./parser-errors";

const UNREADABLE = /An unknown error has occurred/;

it.each([
  "GraphQL Client: Unexpected token '<', \"<!doctype \"... is not valid JSON",
  "GraphQL Client: Unexpected end of JSON input",
  "GraphQL Client: Unterminated string in JSON at position 28 (line 1 column 29)",
  "GraphQL Client: Expected property name or '}' in JSON at position 1",
  "GraphQL Client: Error in parsing multipart response - Unexpected token",
  "GraphQL Client: An error occurred while fetching from the API. Review 'graphQLErrors' for details. syntax error, unexpected end of file",
  'GraphQL Client: Parse error on "{" (LCURLY) at [1, 2]',
])("replaces a parser's message: %s", (message) => {
  expect(replaceParserMessage(message)).toMatch(UNREADABLE);
});

it.each([
  "GraphQL Client: Unauthorized",
  "GraphQL Client: Response returned unexpected Content-Type: text/html",
  "Attempted maximum number of 2 network retries. Last message - Service Unavailable",
])("keeps the client's own messages: %s", (message) => {
  expect(replaceParserMessage(message)).toBe(message);
});
