import type { VisitThing } from "~/domain/analytics/visit";
import { makeNonce, NONCE_LENGTH } from "../security/random";

/**
 * A rendered page that is the same for everybody but for its nonce, kept as bytes: serving it again is a copy and a few
 * short writes, with no rendering and no encoding.
 */
export interface PageTemplate {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where in `bytes` the nonce stands. */
  readonly nonceAt: readonly number[];
  /** Headers that are always the same, and those that name the nonce, as what stands around it. */
  readonly headers: readonly (readonly [string, string])[];
  readonly nonceHeaders: readonly (readonly [string, readonly string[]])[];
  /** Where in `bytes` the site belongs that led to the page; null where it tells of no visit. */
  readonly fromAt: number | null;
  /** What whoever gets it looks at by that. */
  readonly shown: readonly VisitThing[];
}

/** Behind this a page tells, without scripts, which site led to it: see without-scripts.server, which writes the stand-in there. */
const FROM = "&amp;from=";

/**
 * Prepares a page that was rendered with a stand-in for the nonce, in its HTML and in its headers.
 * @param standIn NONCE_LENGTH ASCII characters that nobody could have written into the page: take them from makeNonce
 */
export function createTemplate(
  html: string,
  standIn: string,
  headers: Headers,
  shown: readonly VisitThing[] = [],
): PageTemplate {
  const found = html.indexOf(`${FROM}${standIn}"`);
  const end = found === -1 ? null : found + FROM.length;
  const encoder = new TextEncoder();
  const bytes = encoder.encode(end === null ? html : html.slice(0, end) + html.slice(end + standIn.length));
  const nonceAt: number[] = [];
  const wanted = encoder.encode(standIn);
  for (
    let at = bytes.indexOf(wanted[0] as number);
    at !== -1;
    at = bytes.indexOf(wanted[0] as number, at + 1)
  ) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) nonceAt.push(at);
  }
  const all = [...headers];
  return {
    bytes,
    nonceAt,
    fromAt: end === null ? null : encoder.encode(html.slice(0, end)).length,
    headers: all.filter(([, value]) => !value.includes(standIn)),
    nonceHeaders: all
      .filter(([, value]) => value.includes(standIn))
      .map(([name, value]) => [name, value.split(standIn)]),
    shown,
  };
}

/**
 * The page with a nonce of its own. The headers may be added to.
 * @param from the host of the site that led to it, for visits that are told of without scripts; empty for none
 */
export function fillTemplate(
  template: PageTemplate,
  from = "",
): {
  body: Uint8Array<ArrayBuffer>;
  headers: [string, string][];
  nonce: string;
} {
  const nonce = makeNonce();
  const body = template.bytes.slice();
  for (const at of template.nonceAt)
    for (let i = 0; i < NONCE_LENGTH; i++) body[at + i] = nonce.charCodeAt(i);
  const headers = template.headers.slice() as [string, string][];
  for (const [name, around] of template.nonceHeaders) headers.push([name, around.join(nonce)]);
  return {
    body: template.fromAt === null || from === "" ? body : withText(body, template.fromAt, from),
    headers,
    nonce,
  };
}

/** @param text ASCII characters */
function withText(bytes: Uint8Array<ArrayBuffer>, at: number, text: string): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(bytes.length + text.length);
  longer.set(bytes.subarray(0, at));
  longer.set(new TextEncoder().encode(text), at);
  longer.set(bytes.subarray(at), at + text.length);
  return longer;
}
