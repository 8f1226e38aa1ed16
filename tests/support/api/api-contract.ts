/** Checks API responses in tests against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { CALLS, normalPath } from "#functions/api";
import { createApiDocument, fullPath } from "#functions/api/core/document";

type Node = { [key: string]: unknown };
interface DocumentedResponse {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly "x-codes"?: readonly string[];
}

/** Copy of the document in which objects allow only the listed properties. */
function withoutExtraProperties(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExtraProperties);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutExtraProperties(value)]),
  );
  if (copy.type === "object" && "properties" in copy && !("additionalProperties" in copy))
    copy.additionalProperties = false;
  return copy;
}

const document = createApiDocument(CALLS);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addSchema(withoutExtraProperties(document) as Node, "api");

const escapePathPart = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
const validators = new Map<string, ValidateFunction>();
function validatorAt(...path: readonly string[]): ValidateFunction {
  const ref = `api#/${path.map(escapePathPart).join("/")}`;
  const validator = validators.get(ref) ?? ajv.compile({ $ref: ref });
  validators.set(ref, validator);
  return validator;
}

const routes = CALLS.map((call) => ({
  call,
  pattern: new RegExp(`^${normalPath(call.path).replace(/\{\w+\}/g, "[^/]+")}$`),
}));

/** Finds the call that handles a request; undefined when there is none. */
export const findCall = (method: string, pathname: string) => {
  const path = normalPath(pathname);
  const documentedMethod = method === "HEAD" ? "GET" : method;
  // A literal path has precedence over an id of the same form.
  const exactRoutes = routes.filter(({ call }) => normalPath(call.path) === path);
  return (exactRoutes.length > 0 ? exactRoutes : routes).find(
    ({ call, pattern }) => call.method === documentedMethod && pattern.test(path),
  )?.call;
};

/** Describes a response's deviation from the document; null when there is none. */
export async function contractProblem(request: Request, response: Response): Promise<string | null> {
  const call = findCall(request.method, new URL(request.url).pathname);
  const { status } = response;
  // Responses without a call are not in the document.
  if (!call) return [204, 404, 405].includes(status) ? null : `${status} of no call`;
  const label = `${call.method} ${call.path} ${status}`;
  const path = fullPath(call.path);
  const method = call.method.toLowerCase();
  const operation = (
    document.paths as Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>
  )[path]?.[method];
  const text = await response.clone().text();
  if (status === 500) return text.includes('"unexpected"') ? null : `${label}: ${text}`;
  const documented = operation?.responses[String(status)];
  if (!documented) return `${label} is not documented: ${text.slice(0, 300)}`;
  if (status === 304 || request.method === "HEAD") return text === "" ? null : `${label} has a body`;
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (!documented.content || !(type in documented.content)) return `${label} is ${type}`;
  const value = type.endsWith("json") ? (JSON.parse(text) as unknown) : text;
  const validate = validatorAt("paths", path, method, "responses", String(status), "content", type, "schema");
  if (!validate(value)) return `${label}: ${ajv.errorsText(validate.errors)} ${text.slice(0, 300)}`;
  const { code } = value as { readonly code?: string };
  const codes = documented["x-codes"];
  if (codes && !codes.includes(code ?? "")) return `${label}: the code ${code} is not documented`;
  for (const name of ["etag", "link"])
    if (
      response.headers.has(name) &&
      !Object.keys(documented.headers ?? {}).some((header) => header.toLowerCase() === name)
    )
      return `${label} has ${name}, which is not documented`;
  return null;
}
