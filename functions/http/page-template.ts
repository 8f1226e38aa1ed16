import type { VisitedItem } from "~/domain/analytics/visit";
import { makeNonce, NONCE_LENGTH } from "../security/random";

/**
 * A rendered page that is the same for every visitor except for its nonce, stored as bytes. Serving it again needs one copy and a few short writes,
 * without rendering or encoding.
 */
export interface PageTemplate {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offsets of the nonce in `bytes`. */
  readonly nonceAt: readonly number[];
  /** Headers with constant values, and headers that contain the nonce, as the parts around it. */
  readonly headers: readonly (readonly [string, string])[];
  readonly nonceHeaders: readonly (readonly [string, readonly string[]])[];
  /** Offset in `bytes` at which the referring host is inserted; null if the page reports no visit. */
  readonly fromAt: number | null;
  /** Visit events that receiving this page counts. */
  readonly visitEvents: readonly VisitedItem[];
}

/** Text that precedes the referring host in a page without scripts: see without-scripts.server, which writes the placeholder. */
const FROM = "&amp;from=";

/**
 * Prepares a page that was rendered with a placeholder for the nonce, in its HTML and in its headers.
 * @param standIn the placeholder: NONCE_LENGTH ASCII characters that cannot occur in the page, from makeNonce
 */
export function createTemplate(
  html: string,
  noncePlaceholder: string,
  headers: Headers,
  visitEvents: readonly VisitedItem[] = [],
): PageTemplate {
  const index = html.indexOf(`${FROM}${noncePlaceholder}"`);
  const end = index === -1 ? null : index + FROM.length;
  const encoder = new TextEncoder();
  const bytes = encoder.encode(
    end === null ? html : html.slice(0, end) + html.slice(end + noncePlaceholder.length),
  );
  const nonceAt: number[] = [];
  const placeholderBytes = encoder.encode(noncePlaceholder);
  for (
    let at = bytes.indexOf(placeholderBytes[0] as number);
    at !== -1;
    at = bytes.indexOf(placeholderBytes[0] as number, at + 1)
  ) {
    if (placeholderBytes.every((byte, i) => bytes[at + i] === byte)) nonceAt.push(at);
  }
  const filledHeaders = [...headers];
  return {
    bytes,
    nonceAt,
    fromAt: end === null ? null : encoder.encode(html.slice(0, end)).length,
    headers: filledHeaders.filter(([, value]) => !value.includes(noncePlaceholder)),
    nonceHeaders: filledHeaders
      .filter(([, value]) => value.includes(noncePlaceholder))
      .map(([name, value]) => [name, value.split(noncePlaceholder)]),
    visitEvents,
  };
}

/**
 * Fills the template with a new nonce. The caller may add to the headers.
 * @param from host of the referring site, for visits that are reported without scripts; empty for none
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
  for (const [name, parts] of template.nonceHeaders) headers.push([name, parts.join(nonce)]);
  return {
    body: template.fromAt === null || from === "" ? body : withText(body, template.fromAt, from),
    headers,
    nonce,
  };
}

/** @param text ASCII characters */
function withText(bytes: Uint8Array<ArrayBuffer>, at: number, text: string): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(bytes.length + text.length);
  result.set(bytes.subarray(0, at));
  result.set(new TextEncoder().encode(text), at);
  result.set(bytes.subarray(at), at + text.length);
  return result;
}
