import type { FileStore, StoredFile } from "#functions/services/library/stored-file-ports";
import { fileVersion } from "~/domain/library/media-url";
import { fileHeaders } from "./file-headers";
import { matchesEtag } from "./range-request";

/** Maximum size in bytes. Subtitles of a long video have some 100 KB. */
const MAX_BYTES = 2_000_000;
const TIMES = /^(\d{1,2}:\d{2}:\d{2}),(\d{3}) --> (\d{1,2}:\d{2}:\d{2}),(\d{3})/gm;

/**
 * Converts SubRip to WebVTT, the only format that browsers read: it adds the first line and replaces the decimal commas
 * of the times by points.
 */
export function toWebVtt(subRip: string): string {
  const text = subRip.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  return `WEBVTT\n\n${text.replace(TIMES, "$1.$2 --> $3.$4")}`;
}

/** Decodes UTF-8 or, for older Japanese files, Shift_JIS. */
function readText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

/** Sends subtitles as WebVTT for a `<track>`. Null if the file is missing, has no subtitles or is too large. */
export async function sendWebVtt(
  store: FileStore,
  file: StoredFile,
  request: Request,
  caching: Readonly<Record<string, string>>,
): Promise<Response | null> {
  if (file.kind !== "subtitle" || file.byteSize > MAX_BYTES) return null;
  const { "accept-ranges": _ranges, ...subtitleHeaders } = fileHeaders({
    mimeType: "text/vtt",
    fileName: `${file.fileName.replace(/\.[^.]{1,5}$/, "")}.vtt`,
  });
  const headers = { ...subtitleHeaders, ...caching, etag: `"${fileVersion(file.fileKey)}-vtt"` };
  if (matchesEtag(request.headers.get("if-none-match"), headers.etag))
    return new Response(null, { status: 304, headers });
  const object = await store.get(file.fileKey);
  if (!object?.body) return null;
  const text = readText(await new Response(object.body).arrayBuffer());
  const body = file.mimeType === "text/vtt" ? text : toWebVtt(text);
  return new Response(request.method === "HEAD" ? null : body, { headers });
}
