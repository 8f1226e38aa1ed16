/** Executes creations with an Idempotency-Key once. A repeated call returns the stored response. */
import { isAppError } from "#functions/http/http-errors";
import type { Actor } from "~/domain/auth/actor";
import { failureResponse } from "./failure";
import { HttpError } from "./problem";
import { type ApiCall, bodyTooLargeError, readWhole } from "./request";

/** Valid idempotency keys. */
export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;
/** Headers that are stored with a response. Other headers belong to a single response. */
const STORED_HEADERS = ["content-type", "etag", "link", "cache-control"];

/** A stored response. */
interface StoredResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Whether a repetition may have another result. The response is then not stored. */
const isTemporary = (status: number) => status >= 500 || status === 429 || status === 401;

/** Error codes about the caller's authentication. After authenticating as required, the caller may repeat the call with the same key. */
const CALLER_CODES: ReadonlySet<string> = new Set(["reauthentication_required", "token_not_allowed"]);

/** Executes a call once per Idempotency-Key. */
export async function runIdempotently(
  c: ApiCall,
  actor: Actor,
  respond: () => Promise<Response>,
): Promise<Response> {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return respond();
  if (!IDEMPOTENCY_KEY.test(key)) throw new HttpError(400, "idempotency_key_invalid");
  const bytes = await readWhole(c.req.raw);
  if (bytes === null) throw bodyTooLargeError();
  const { method, url, headers } = c.req.raw;
  // Each byte becomes one character, so that different bodies never have the same text.
  const bodyText = new TextDecoder("latin1").decode(bytes);
  const requestText = [method, c.req.path, new URL(url).search, headers.get("content-type"), bodyText].join(
    "\n",
  );
  // The body was read for the comparison, so the request is rebuilt for the handler.
  c.req.raw = new Request(url, { method, headers, body: bytes });

  const outcome = await c.env.services.idempotency.runOnce({
    actor,
    key,
    request: requestText,
    work: async () => {
      let isAboutCaller = false;
      const response = await respond().catch((error: unknown) => {
        isAboutCaller = isAppError(error) && CALLER_CODES.has(error.code);
        return failureResponse(c, error);
      });
      const isStored = !isAboutCaller && !isTemporary(response.status);
      const storable = isStored ? await serializeResponse(response.clone()) : null;
      return { response, storable };
    },
  });
  return "result" in outcome ? outcome.result : parseResponse(outcome.repeated);
}

async function serializeResponse(response: Response): Promise<string> {
  const headers = STORED_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return JSON.stringify({
    status: response.status,
    headers,
    body: await response.text(),
  } satisfies StoredResponse);
}

function parseResponse(text: string): Response {
  const { status, headers, body } = JSON.parse(text) as StoredResponse;
  return new Response(body, {
    status,
    headers: [
      ...headers.map(([name, value]) => [name, value] as [string, string]),
      ["idempotency-replayed", "true"],
    ],
  });
}
