/**
 * Makes the types of the API's document, which TypeScript knows as `#api-types`: for the client with which tests call the API as
 * programs do. A file that says the same stays as it is.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { CALLS } from "#functions/api";
import { documentOf } from "#functions/api/core/document";
import { fromRoot } from "./lib/paths";

const file = fromRoot(".cache", "api-types.ts");
const text = astToString(await openapiTS(JSON.stringify(documentOf(CALLS))));
if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  mkdirSync(fromRoot(".cache"), { recursive: true });
  writeFileSync(file, text);
}
