/** Examples of a call in curl and TypeScript, with values for its schemas. */
import type { DocumentedCall, Parameter } from "./reference-call";
import { getRefName, type Schema } from "./reference-schema";

/** The OpenAPI document's schemas by name. */
export type NamedSchemas = Readonly<Record<string, Schema>>;

/** Maximum depth of nested schemas in an example. */
const DEPTH_MAX = 4;
/** Maximum number of optional fields in an example without required fields. */
const OPTIONAL_MAX = 2;
const UUID = "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3";

/** Creates a value for a schema: its own example, default or first allowed value, otherwise a short one of its type. Null without a schema, or if it is nested too deep. */
export function createExample(schema: Schema | undefined, schemas: NamedSchemas, depth = 0): unknown {
  if (!schema || depth > DEPTH_MAX) return null;
  if (schema.$ref) return createExample(schemas[getRefName(schema.$ref)], schemas, depth + 1);
  const [example] = Array.isArray(schema.examples) ? schema.examples : [];
  const value = example ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (value !== undefined) return value;
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives && !schema.properties) return createExample(alternatives[0], schemas, depth);
  if (schema.allOf) return createExample(schema.allOf[0], schemas, depth);
  const type = [schema.type].flat()[0];
  switch (type) {
    case "array":
      return [createExample(schema.items, schemas, depth + 1)];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "string":
      return schema.format === "uuid" ? UUID : "…";
    default:
      return createObject(schema, schemas, depth);
  }
}

/**
 * Creates an object with its required fields, or with some of the others. If there are alternatives, the fields of the first one are required too.
 */
function createObject(
  { properties = {}, required = [], anyOf = [] }: Schema,
  schemas: NamedSchemas,
  depth: number,
) {
  const requiredNames = [...required, ...(anyOf[0]?.required ?? [])];
  const names = requiredNames.length > 0 ? requiredNames : Object.keys(properties).slice(0, OPTIONAL_MAX);
  return Object.fromEntries(names.map((name) => [name, createExample(properties[name], schemas, depth + 1)]));
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The URL of an example, with the path's parameters and the required query parameters. Their values are not encoded, so that they can be read. */
function createExampleUrl(path: string, parameters: readonly Parameter[], schemas: NamedSchemas): string {
  const exampleValue = (name: string) => {
    const parameter = parameters.find((candidate) => candidate.name === name);
    return String(createExample(parameter?.schema, schemas) ?? "…");
  };
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const search = query.map(({ name }) => `${name}=${exampleValue(name)}`).join("&");
  const examplePath = path.replace(/\{(\w+)\}/g, (_all, name: string) => exampleValue(name));
  return `${examplePath}${search && `?${search}`}`;
}

/** The call in curl and in TypeScript. Bytes are read from a file. @param origin origin of the API */
export function createCallExamples(
  { path, method, operation }: DocumentedCall,
  origin: string,
  schemas: NamedSchemas,
) {
  const { parameters = [], requestBody, security = [] } = operation;
  const url = `${origin}${createExampleUrl(path, parameters, schemas)}`;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isJson = type === "application/json";
  const body = isJson ? createExample(content?.schema, schemas) : undefined;
  const headers = {
    ...(security.length > 0 && { Authorization: "Bearer $HIROBA_TOKEN" }),
    ...(type && { "Content-Type": type }),
  };
  const verb = method.toUpperCase();
  const curl = [
    `curl${verb === "GET" ? "" : ` -X ${verb}`} ${quoteForShell(url)}`,
    // Double quotes, so that the shell inserts the token.
    ...Object.entries(headers).map(([name, value]) => `  -H "${name}: ${value}"`),
    ...(isJson ? [`  -d ${quoteForShell(JSON.stringify(body))}`] : []),
    ...(type && !isJson ? ["  --data-binary @file"] : []),
  ].join(" \\\n");
  const headerLines = Object.entries(headers).map(([name, value]) =>
    value.includes("$HIROBA_TOKEN")
      ? `    ${name}: \`Bearer \${process.env.HIROBA_TOKEN}\`,`
      : `    "${name}": "${value}",`,
  );
  const options = [
    ...(verb === "GET" ? [] : [`  method: "${verb}",`]),
    ...(headerLines.length > 0 ? ["  headers: {", ...headerLines, "  },"] : []),
    ...(isJson ? [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),`] : []),
    ...(type && !isJson ? ["  body: await readFile(fileName),"] : []),
  ];
  const typescript = [
    ...(type && !isJson ? ['import { readFile } from "node:fs/promises";', ""] : []),
    options.length > 0
      ? `const response = await fetch("${url}", {\n${options.join("\n")}\n});`
      : `const response = await fetch("${url}");`,
    "if (!response.ok) throw new Error((await response.json()).detail);",
    ...(isJsonResponse(operation)
      ? ["const result = await response.json();"]
      : ["const result = await response.blob();"]),
  ].join("\n");
  return { curl, typescript };
}

const isJsonResponse = ({ responses }: DocumentedCall["operation"]) =>
  Object.entries(responses).some(
    ([status, { content = {} }]) => status.startsWith("2") && "application/json" in content,
  );
