import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import * as z from "zod";
import { calls } from "~/i18n/ja/calls";
import { CALLS, createApi } from "..";
import { listPathParams } from "./call";
import { createApiDocument, fullPath, PATH_PARAMS } from "./document";
import { TAGS } from "./introduction";
import { PROBLEMS } from "./problem-codes";

/** Whether a response is an array with one element, as for reads by uuid. */
const isSingleElementArray = (response: z.ZodType) =>
  JSON.stringify(z.toJSONSchema(response)).includes('"maxItems":1');

const document = createApiDocument(CALLS);
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(
    item as Record<string, { operationId: string; tags: string[]; summary: string; description?: string }>,
  ).map(([method, operation]) => ({ path, method, ...operation })),
);

it("the document is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(document.openapi).toMatch(/^3\.1\./);
});

it("the document has every call exactly once, with a unique name and path", () => {
  const calls = operations.map(({ method, path }) => `${method} ${path}`);
  expect(calls.sort()).toEqual(
    CALLS.map(({ method, path }) => `${method.toLowerCase()} ${fullPath(path)}`).sort(),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(Object.keys(TAGS)).toEqual(
    expect.arrayContaining([...new Set(operations.flatMap(({ tags }) => tags))]),
  );
  for (const { summary, operationId } of operations) expect(summary, operationId).toMatch(/^[A-Z3].*[^.]$/);
});

it("there are as many routes as calls", () => {
  const routes = createApi().routes.filter(
    ({ method, path }) => !["ALL", "OPTIONS"].includes(method) && path !== "/*",
  );
  expect(routes).toHaveLength(CALLS.length);
});

it("the document names the schema of the saved record that a stale change returns", () => {
  for (const { path, method, operationId } of operations) {
    const { responses } = (document.paths as Record<string, Record<string, { responses: object }>>)[path]?.[
      method
    ] ?? { responses: {} };
    for (const [status, response] of Object.entries(responses) as [string, { "x-codes"?: string[] }][])
      if (response["x-codes"]?.includes("stale_version"))
        expect(JSON.stringify(response), `${operationId} ${status}`).toMatch(
          /"saved":\{("anyOf":\[\{)?"\$ref":"#\/components\/schemas\/\w+"/,
        );
  }
});

it("every list accepts a cursor", () => {
  const lists = CALLS.filter(
    ({ method, response }) =>
      method === "GET" && response instanceof z.ZodArray && !isSingleElementArray(response),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const { id, query, list, wholeListKey } of lists) {
    expect(Object.keys(query?.shape ?? {}), id).toContain("cursor");
    expect(list ?? wholeListKey, id).toBeTruthy();
  }
});

it("the document describes every path parameter, and every problem code has an error status", () => {
  for (const { path } of CALLS)
    for (const name of listPathParams(path)) expect(Object.keys(PATH_PARAMS), path).toContain(name);
  for (const statuses of Object.values(PROBLEMS))
    for (const status of statuses) expect(status).toBeGreaterThan(399);
});

it("every call states who may call it", () => {
  for (const { operationId, description = "" } of operations)
    expect(description, operationId).toMatch(/Who may: [A-Z].*\.$/);
});

it("the list of media states its order in a folder and in the whole library", () => {
  const { summary, description } = operations.find(({ operationId }) => operationId === "listMedia") ?? {};
  expect(summary).not.toContain("newest first");
  expect(calls.summaries.listMedia).not.toContain("新しい順");
  expect(description).toContain("in the order of `sort`, by default by name");
});
