import { z } from "zod";
import { type Call, call } from "./call";
import { documentOf } from "./document";

/** An isolate makes the document once, when it is asked for first. */
let made: { readonly text: string; readonly tag: string } | undefined;

async function documentText(calls: readonly Call[]) {
  if (made) return made;
  const text = JSON.stringify(documentOf(calls));
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = [...new Uint8Array(hash.slice(0, 12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  made = { text, tag: `"${hex}"` };
  return made;
}

/** What the API says of itself: /openapi.json. @param calls all calls, these among them */
export const aboutCalls = (calls: () => readonly Call[]) => [
  call({
    id: "getDocument",
    method: "GET",
    path: "/openapi.json",
    tag: "about",
    summary: "This document",
    who: "anyone",
    answer: z.looseObject({}),
    headers: { ETag: "Of this version of the document." },
    handle: async ({ c }) => {
      const { text, tag } = await documentText(calls());
      const headers = { etag: tag, "cache-control": "public, max-age=60" };
      const known = c.req.header("if-none-match");
      if (known?.split(",").some((each) => each.trim().replace(/^W\//, "") === tag))
        return c.body(null, 304, headers);
      return c.body(text, 200, { ...headers, "content-type": "application/json" });
    },
  }),
];
