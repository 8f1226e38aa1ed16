/** Creations with an Idempotency-Key: sent again they are answered as they were, and done once. */
import { isAppError } from "#functions/http/http-errors";
import type { Actor } from "~/domain/auth/actor";
import { failureResponse } from "./failure";
import { HttpError } from "./problem";
import { type ApiCall, readWhole } from "./request";

/** Valid idempotency keys. */
export const KEY = /^[!-~]{1,255}$/;
/** Headers of an answer that are those of the call and not of the way that it took. */
const KEPT_HEADERS = ["content-type", "etag", "link", "cache-control"];

/** An answer as it is kept. */
interface Kept {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Whether the same call may be answered otherwise the next time, without that anything of it has happened. */
const isPassing = (status: number) => status >= 500 || status === 429 || status === 401;

/** Codes that say by what the caller must call, and not what came of the call: with that, the same call is to be done. */
const CALLER_CODES: ReadonlySet<string> = new Set(["reauthentication_required", "token_not_allowed"]);

/** Does a call that its caller may send again under a key. */
export async function runIdempotently(
  c: ApiCall,
  actor: Actor,
  answer: () => Promise<Response>,
): Promise<Response> {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return answer();
  if (!KEY.test(key)) throw new HttpError(400, "idempotency_key_invalid");
  const bytes = await readWhole(c.req.raw);
  if (bytes === null) throw new HttpError(413, "too_large");
  const { method, url, headers } = c.req.raw;
  const sent = new TextDecoder("latin1").decode(bytes);
  const requestText = [method, c.req.path, new URL(url).search, headers.get("content-type"), sent].join("\n");
  // The body was read to see what is asked, and is there again for the call itself.
  c.req.raw = new Request(url, { method, headers, body: bytes });

  const done = await c.env.services.idempotency.runOnce({
    actor,
    key,
    asked: requestText,
    work: async () => {
      let isAboutCaller = false;
      const response = await answer().catch((error: unknown) => {
        isAboutCaller = isAppError(error) && CALLER_CODES.has(error.code);
        return failureResponse(c, error);
      });
      const isKept = !isAboutCaller && !isPassing(response.status);
      const stored = isKept ? await keptOf(response.clone()) : null;
      return { answer: response, kept: stored };
    },
  });
  return "answer" in done ? done.answer : repeatedOf(done.repeated);
}

async function keptOf(response: Response): Promise<string> {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return JSON.stringify({ status: response.status, headers, body: await response.text() } satisfies Kept);
}

function repeatedOf(text: string): Response {
  const { status, headers, body } = JSON.parse(text) as Kept;
  return new Response(body, {
    status,
    headers: [
      ...headers.map(([name, value]) => [name, value] as [string, string]),
      ["idempotency-replayed", "true"],
    ],
  });
}
