/**
 * Writes the TypeScript types of the API's OpenAPI document, which TypeScript resolves as `#api-types`. Tests use them to call the
 * API with a generated client, as integrations do. The file is not rewritten when its content is unchanged.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { CALLS } from "#functions/api";
import { createApiDocument } from "#functions/api/core/document";
import { fromRoot } from "./lib/paths";

const file = fromRoot(".cache", "api-types.ts");
const text = astToString(await openapiTS(JSON.stringify(createApiDocument(CALLS))));
if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  mkdirSync(fromRoot(".cache"), { recursive: true });
  writeFileSync(file, text);
}
