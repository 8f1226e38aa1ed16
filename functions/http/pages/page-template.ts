import type { VisitedItem } from "~/domain/analytics/visit";
import { makeNonce, NONCE_LENGTH } from "../../security/random";

/**
 * A rendered page that is the same for every visitor except for its nonce and a few inserted texts, stored as bytes. Serving it again needs one copy
 * and a few short writes, without rendering or encoding.
 */
export interface PageTemplate {
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offsets of the nonce in `bytes`, ascending. */
  readonly nonceAt: readonly number[];
  /** Headers with constant values. */
  readonly headers: Headers;
  /** Headers that contain the nonce: the name of each, and the parts of its value around the nonce. */
  readonly nonceHeaders: readonly (readonly [string, readonly string[]])[];
  readonly slots: PageSlots;
  /** Visit events that are counted when a visitor receives this page. */
  readonly visitEvents: readonly VisitedItem[];
}

/** Offsets in a template's bytes at which texts for one visitor are inserted. */
export interface PageSlots {
  /** The referring host; null if the page reports no visit. */
  readonly referrer: number | null;
  /** The opened item of the visit that a page without scripts reports; null if it reports none. */
  readonly visitedItem: number | null;
  /** The parameter of the tag in links to this page in each language. */
  readonly links: readonly number[];
  /** The attribute that opens the entry of a tag or media item, by its id. */
  readonly entries: ReadonlyMap<string, { readonly position: number; readonly text: string }>;
  /** The last segment of the page's URL. */
  readonly lastSegment: readonly number[];
}

/** Describes the places of a rendered page that differ between visitors. */
export interface TemplateSource {
  /** Placeholder for the nonce: NONCE_LENGTH ASCII characters that cannot occur elsewhere in the page, from makeNonce. */
  readonly noncePlaceholder: string;
  /** The path and token of an event's page whose entries can be opened by a link; omitted on other pages. */
  readonly linkable?: { readonly path: string; readonly token: string };
  /** Placeholder for the last segment of the page's URL: ASCII characters that cannot occur elsewhere. */
  readonly segmentPlaceholder?: string;
  readonly visitEvents?: readonly VisitedItem[];
  /** Default: 200. */
  readonly status?: number;
}

/** A text that is inserted into a template's bytes. It contains ASCII characters only. */
export interface Insertion {
  readonly position: number;
  readonly text: string;
}

/** Text that precedes the referring host in a page without scripts: see noscript-tracking.server, which writes the placeholder. */
const BEFORE_REFERRER = "&amp;from=";
/** The start of a closed entry of a tag, and of a media item: see TagEntry and MediaItemEntry of visitors' pages. */
const ENTRY = /<li id="tag-([0-9a-f-]{36})"[^>]*(?:><details(?= class)|(?=><figure data-medium))/g;

/** Text that follows the token in links to the same page in each language: see LanguageSwitch. */
const IN_LANGUAGE = /^&amp;(?:page=\d+&amp;)?lang=/;

/** A position in a page's text, and the length of the text that is removed there. */
interface Mark {
  readonly position: number;
  readonly cut: number;
  /** Receives the position's offset in the bytes. */
  readonly store: (offset: number) => void;
}

/** Prepares a page that was rendered with placeholders, in its HTML and in its headers. */
export function createTemplate(html: string, headers: Headers, source: TemplateSource): PageTemplate {
  const { noncePlaceholder, linkable, segmentPlaceholder, visitEvents = [], status = 200 } = source;
  const nonceAt: number[] = [];
  const links: number[] = [];
  const entries = new Map<string, { position: number; text: string }>();
  const lastSegment: number[] = [];
  let referrerOffset: number | null = null;
  let visitedItemOffset: number | null = null;

  // The visited item is inserted before the parameter of the referring host, and the host in place of the placeholder that follows it.
  const beforeReferrerAt = html.indexOf(`${BEFORE_REFERRER}${noncePlaceholder}"`);
  const referrerAt = beforeReferrerAt === -1 ? -1 : beforeReferrerAt + BEFORE_REFERRER.length;
  const marks: Mark[] = positionsOf(html, noncePlaceholder)
    .filter((offset) => offset !== referrerAt)
    .map((position) => ({ position, cut: 0, store: (offset) => void nonceAt.push(offset) }));
  if (beforeReferrerAt !== -1) {
    const storeVisitedItem = (offset: number) => {
      visitedItemOffset = offset;
    };
    const storeReferrer = (offset: number) => {
      referrerOffset = offset;
    };
    marks.push({ position: beforeReferrerAt, cut: 0, store: storeVisitedItem });
    marks.push({ position: referrerAt, cut: noncePlaceholder.length, store: storeReferrer });
  }
  if (linkable) {
    const link = `href="${linkable.path}?token=${linkable.token}`;
    for (const linkPosition of positionsOf(html, link)) {
      const end = linkPosition + link.length;
      if (IN_LANGUAGE.test(html.slice(end, end + 40)))
        marks.push({ position: end, cut: 0, store: (offset) => void links.push(offset) });
    }
    for (const { index, 0: text, 1: id = "" } of html.matchAll(ENTRY))
      marks.push({
        position: index + text.length,
        cut: 0,
        store: (offset) =>
          void entries.set(id, {
            position: offset,
            text: text.endsWith("<details") ? ' open=""' : ' data-open="true"',
          }),
      });
  }
  if (segmentPlaceholder)
    for (const segmentPosition of positionsOf(html, segmentPlaceholder))
      marks.push({
        position: segmentPosition,
        cut: segmentPlaceholder.length,
        store: (offset) => void lastSegment.push(offset),
      });

  const bytes = encodeMarked(
    html,
    marks.sort((a, b) => a.position - b.position),
  );
  const allHeaders = [...headers];
  return {
    status,
    bytes,
    nonceAt,
    slots: { referrer: referrerOffset, visitedItem: visitedItemOffset, links, entries, lastSegment },
    headers: new Headers(allHeaders.filter(([, value]) => !value.includes(noncePlaceholder))),
    nonceHeaders: allHeaders
      .filter(([, value]) => value.includes(noncePlaceholder))
      .map(([name, value]) => [name, value.split(noncePlaceholder)]),
    visitEvents,
  };
}

/** Positions of a text in another one, ascending. */
function positionsOf(html: string, text: string): number[] {
  const positions: number[] = [];
  for (let offset = html.indexOf(text); offset !== -1; offset = html.indexOf(text, offset + text.length))
    positions.push(offset);
  return positions;
}

/** The memory in which all pages are encoded. New memory is filled with zeros, which takes a third of the time of the encoding. */
let encodingBuffer = new Uint8Array(0);

/** Encodes a page without the removed texts, and reports the offset of every mark. */
function encodeMarked(html: string, marks: readonly Mark[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  if (encodingBuffer.length < html.length * 3) encodingBuffer = new Uint8Array(html.length * 3);
  const bytes = encodingBuffer;
  let readUntil = 0;
  let length = 0;
  const encodeUntil = (end: number) => {
    length += encoder.encodeInto(html.slice(readUntil, end), bytes.subarray(length)).written;
  };
  for (const { position, cut, store } of marks) {
    encodeUntil(position);
    store(length);
    readUntil = position + cut;
  }
  encodeUntil(html.length);
  return bytes.slice(0, length);
}

/** Returns the insertion of the referring host, for visits that are reported without scripts. */
export const insertReferrer = ({ slots }: PageTemplate, host: string): Insertion[] =>
  slots.referrer === null || host === "" ? [] : [{ position: slots.referrer, text: host }];

/**
 * Returns the insertions that open a tag or media item, as rendering the page at `?tag=` does. Null if the page lacks its entry, or if a tag's entry is
 * open already.
 * @param id a UUID. `hasEntry` is false for a media item that is shown within the entry of a tag
 */
export function insertOpenItem(
  { slots }: PageTemplate,
  { kind, id, hasEntry }: { readonly kind: "tag" | "media"; readonly id: string; readonly hasEntry: boolean },
): Insertion[] | null {
  const entry = slots.entries.get(id);
  if ((entry !== undefined) !== hasEntry) return null;
  const text = `&amp;tag=${id}`;
  return [
    ...slots.links.map((offset) => ({ position: offset, text })),
    ...(entry ? [entry] : []),
    ...(slots.visitedItem === null ? [] : [{ position: slots.visitedItem, text: `&amp;${kind}=${id}` }]),
  ];
}

/** Returns the insertions of the last segment of the page's URL. */
export const insertLastSegment = ({ slots }: PageTemplate, text: string): Insertion[] =>
  slots.lastSegment.map((offset) => ({ position: offset, text }));

/** Differences of one response from the others of its template. */
interface FilledPage {
  readonly insertions?: readonly Insertion[];
  /** Default: the status of the template. */
  readonly status?: number;
  /** True for a HEAD request. */
  readonly isHead?: boolean;
}

/** Returns the page with a new nonce and the inserted texts. The caller may add to the headers. */
export function fillTemplate(
  template: PageTemplate,
  { insertions = [], status = template.status, isHead = false }: FilledPage = {},
): Response {
  const nonce = makeNonce();
  // Copying Headers takes a quarter of the time of reading pairs.
  const headers = new Headers(template.headers);
  for (const [name, valueParts] of template.nonceHeaders) headers.append(name, valueParts.join(nonce));
  if (isHead) return new Response(null, { status, headers });
  // A Response copies its body (Fetch, "extract a body"), so the nonce is written into the template's own bytes, or into the copy that all pages with
  // insertions use in turn.
  const body = insertions.length === 0 ? template.bytes : insertTexts(template.bytes, insertions);
  const sorted = insertions.length < 2 ? insertions : sortByPosition(insertions);
  let shift = 0;
  let nextInsertion = 0;
  for (const offset of template.nonceAt) {
    for (
      let insertion = sorted[nextInsertion];
      insertion && insertion.position <= offset;
      insertion = sorted[++nextInsertion]
    )
      shift += insertion.text.length;
    for (let i = 0; i < NONCE_LENGTH; i++) body[offset + shift + i] = nonce.charCodeAt(i);
  }
  return new Response(body, { status, headers });
}

const sortByPosition = (insertions: readonly Insertion[]) =>
  [...insertions].sort((a, b) => a.position - b.position);

/** The bytes of the last page with insertions. Allocating and collecting a hundred kilobytes for each page takes longer than the rest of serving it. */
let insertionBuffer = new Uint8Array(0);

/** Returns the bytes with the inserted texts. They are valid until the next call. */
function insertTexts(
  bytes: Uint8Array<ArrayBuffer>,
  insertions: readonly Insertion[],
): Uint8Array<ArrayBuffer> {
  const addedLength = insertions.reduce((sum, { text }) => sum + text.length, 0);
  const neededLength = bytes.length + addedLength;
  if (insertionBuffer.length < neededLength) insertionBuffer = new Uint8Array(neededLength);
  const filled = insertionBuffer.subarray(0, neededLength);
  let readUntil = 0;
  let length = 0;
  const copyUntil = (end: number) => {
    filled.set(bytes.subarray(readUntil, end), length);
    length += end - readUntil;
    readUntil = end;
  };
  for (const { position, text } of sortByPosition(insertions)) {
    copyUntil(position);
    for (let i = 0; i < text.length; i++) filled[length++] = text.charCodeAt(i);
  }
  copyUntil(bytes.length);
  return filled;
}
