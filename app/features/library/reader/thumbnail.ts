/** Draws the first page of a document as its thumbnail. */

/** Time limit for drawing a first page, in milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Draws the first page of a chosen file.
 * @param width width in pixels
 * @returns null for a page that cannot be drawn here, and for a document that requires a password
 * @throws UnreadableFileError for a damaged document
 */
export async function drawFirstPage(file: Blob, width: number): Promise<HTMLCanvasElement | null> {
  const { openDocument } = await import("./pdf.client");
  const document = await openDocument(file, AbortSignal.timeout(TIMEOUT_MS));
  if (!document) return null;
  try {
    return (await document.draw(1, width)).canvas;
  } catch {
    return null;
  } finally {
    document.close();
  }
}
