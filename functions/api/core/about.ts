import * as z from "zod";
import { referencePolicy, securityHeaders } from "#functions/http/csp";
import { lazyModule } from "#functions/load-module";
import { makeNonce } from "#functions/security/random";
import { type Call, call } from "./call";
import type { ApiDocument } from "./document";
import { optionalText } from "./fields";
import { includesEtag } from "./versions";

const documentModule = lazyModule("document", () => import("./document"));
const referenceModule = lazyModule("reference", () => import("../reference/reference-page"));

/** Created once per isolate, when it is first requested. */
let cachedDocument:
  | { readonly document: ApiDocument; readonly text: string; readonly etag: string }
  | undefined;

async function readDocument(calls: readonly Call[]) {
  if (cachedDocument) return cachedDocument;
  const { createApiDocument } = await documentModule();
  const document = createApiDocument(calls);
  const text = JSON.stringify(document);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = [...new Uint8Array(hash.slice(0, 12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  cachedDocument = { document, text, etag: `"${hex}"` };
  return cachedDocument;
}

/**
 * Calls that describe the API: /openapi.json and /docs.
 * @param calls returns all calls, including these
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
    headers: { ETag: "Version of the document." },
    handle: async ({ c }) => {
      const { text, etag } = await readDocument(calls());
      const headers = { etag, "cache-control": "public, max-age=60" };
      if (includesEtag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
      return c.body(text, 200, { ...headers, "content-type": "application/json" });
    },
  }),

  call({
    id: "getReference",
    method: "GET",
    path: "/docs",
    tag: "about",
    summary: "Get this document as an HTML page",
    description: "Without parameters it lists all sections.",
    who: "anyone",
    query: z.object({
      group: optionalText({ type: "string", description: "Section of the API to show." }),
      call: optionalText({ type: "string", description: "Id of the call to show." }),
      schema: optionalText({ type: "string", description: "Name of the schema to show." }),
      q: optionalText({ type: "string", description: "Words that a call must all contain." }),
    }),
    response: z.string(),
    produces: "text/html",
    handle: async ({ c, query }) => {
      const { referencePage } = await referenceModule();
      const { document } = await readDocument(calls());
      const nonce = makeNonce();
      const { langFor, messagesFor } = c.env;
      const request = c.req.raw;
      const page = referencePage(document, {
        lang: langFor(request),
        translate: messagesFor(request),
        nonce,
        origin: new URL(request.url).origin,
        selection: query,
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
