import { contentDisposition } from "~/domain/shared/disposition";

/** A file that is written while it is sent, to be kept under its own name. */
export const attachment = (
  file: { readonly fileName: string; readonly body: ReadableStream<Uint8Array> },
  type: string,
): Response =>
  new Response(file.body, {
    headers: {
      "content-type": type,
      "content-disposition": contentDisposition(file.fileName, false),
      "cache-control": "private, no-store",
    },
  });
