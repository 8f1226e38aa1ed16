import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import * as z from "zod";
import { CALLS, createApi } from "..";
import { paramsOf } from "./call";
import { documentOf, fullPath, PARAMS } from "./document";
import { TAGS } from "./introduction";
import { PROBLEMS } from "./problem-codes";

/** "By uuid" reads answer an array of one. */
const isOneOf = (answer: z.ZodType) => JSON.stringify(z.toJSONSchema(answer)).includes('"maxItems":1');

const document = documentOf(CALLS);
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

it("the document has every call once, by a name and a place of its own, and nothing else", () => {
  const named = operations.map(({ method, path }) => `${method} ${path}`);
  expect(named.sort()).toEqual(
    CALLS.map(({ method, path }) => `${method.toLowerCase()} ${fullPath(path)}`).sort(),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(Object.keys(TAGS)).toEqual(
    expect.arrayContaining([...new Set(operations.flatMap(({ tags }) => tags))]),
  );
  for (const { summary, operationId } of operations) expect(summary, operationId).toMatch(/^[A-Z3].*[^.]$/);
});

it("every route that answers is a call of the document", () => {
  const routes = createApi().routes.filter(
    ({ method, path }) => !["ALL", "OPTIONS"].includes(method) && path !== "/*",
  );
  expect(routes).toHaveLength(CALLS.length);
});

it("a change that comes too late is answered with the record that is saved, by its own shape", () => {
  for (const { path, method, operationId } of operations) {
    const { responses } = (document.paths as Record<string, Record<string, { responses: object }>>)[path]?.[
      method
    ] ?? { responses: {} };
    for (const [status, answer] of Object.entries(responses) as [string, { "x-codes"?: string[] }][])
      if (answer["x-codes"]?.includes("stale_version"))
        expect(JSON.stringify(answer), `${operationId} ${status}`).toMatch(
          /"saved":\{("anyOf":\[\{)?"\$ref":"#\/components\/schemas\/\w+"/,
        );
  }
});

it("every list goes on from a cursor", () => {
  const lists = CALLS.filter(
    ({ method, answer }) => method === "GET" && answer instanceof z.ZodArray && !isOneOf(answer),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const { id, query, list, whole } of lists) {
    expect(Object.keys(query?.shape ?? {}), id).toContain("cursor");
    expect(list ?? whole, id).toBeTruthy();
  }
});

it("every parameter of a path, and every code of a problem, is one that the document knows", () => {
  for (const { path } of CALLS)
    for (const name of paramsOf(path)) expect(Object.keys(PARAMS), path).toContain(name);
  for (const statuses of Object.values(PROBLEMS))
    for (const status of statuses) expect(status).toBeGreaterThan(399);
});

it("every call says who may call it", () => {
  for (const { operationId, description = "" } of operations)
    expect(description, operationId).toMatch(/Who may: [A-Z].*\.$/);
});
