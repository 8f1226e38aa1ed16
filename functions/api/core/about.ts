import * as z from "zod";
import { referencePolicy, securityHeaders } from "#functions/http/csp";
import { lazyModule } from "#functions/load-module";
import { makeNonce } from "#functions/security/random";
import { type Call, call } from "./call";
import type { ApiDocument } from "./document";
import { optionalText } from "./fields";

const documentModule = lazyModule("document", () => import("./document"));
const reference = lazyModule("reference", () => import("../reference/reference-page"));

/** Created once per isolate, when it is first requested. */
let cached: { readonly document: ApiDocument; readonly text: string; readonly tag: string } | undefined;

async function madeDocument(calls: readonly Call[]) {
  if (cached) return cached;
  const { createApiDocument } = await documentModule();
  const document = createApiDocument(calls);
  const text = JSON.stringify(document);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = [...new Uint8Array(hash.slice(0, 12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  cached = { document, text, tag: `"${hex}"` };
  return cached;
}

/**
 * Calls that describe the API: /openapi.json and /docs.
 * @param calls all calls, including these
 */
export const aboutCalls = (calls: () => readonly Call[]) => [
  call({
    id: "getDocument",
    method: "GET",
    path: "/openapi.json",
    tag: "about",
    summary: "Get this document",
    who: "anyone",
    response: z.looseObject({}),
    headers: { ETag: "Of this version of the document." },
    handle: async ({ c }) => {
      const { text, tag } = await madeDocument(calls());
      const headers = { etag: tag, "cache-control": "public, max-age=60" };
      const known = c.req.header("if-none-match");
      if (known?.split(",").some((etag) => etag.trim().replace(/^W\//, "") === tag))
        return c.body(null, 304, headers);
      return c.body(text, 200, { ...headers, "content-type": "application/json" });
    },
  }),

  call({
    id: "getReference",
    method: "GET",
    path: "/docs",
    tag: "about",
    summary: "Get this document as an HTML page",
    description: "Without parameters it shows all parts of the API.",
    who: "anyone",
    query: z.object({
      group: optionalText({ type: "string", description: "The part of the API whose calls are shown." }),
      call: optionalText({ type: "string", description: "The call that is shown, by its id." }),
      schema: optionalText({ type: "string", description: "The shape that is shown." }),
      q: optionalText({ type: "string", description: "Words that a call must have, all of them." }),
    }),
    response: z.string(),
    produces: "text/html",
    handle: async ({ c, query }) => {
      const { referencePage } = await reference();
      const { document } = await madeDocument(calls());
      const nonce = makeNonce();
      const { langFor, messagesFor } = c.env;
      const request = c.req.raw;
      const page = referencePage(document, {
        lang: langFor(request),
        say: messagesFor(request),
        nonce,
        origin: new URL(request.url).origin,
        address: query,
      });
      return c.body(page, 200, {
        // The worker adds Strict-Transport-Security to every response of the API.
        ...securityHeaders("app", null),
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": referencePolicy(nonce),
      });
    },
  }),
];
