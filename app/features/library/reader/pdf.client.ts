/** Draws the pages of PDF documents. Scripts in a document do not run. Apart from the document, only files of this site's /assets are fetched. */
import {
  GlobalWorkerOptions,
  getDocument,
  InvalidPDFException,
  PasswordResponses,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  VerbosityLevel,
  version,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { UnreadableFileError } from "~/domain/library/unreadable-file-error";

GlobalWorkerOptions.workerSrc = workerUrl;

/** URL of the character maps, fonts and decoders that pdf.js loads on demand. vite.config.ts copies them there. */
const ASSETS_PATH = `/assets/pdf-${version}/`;
/** Maximum number of pixels of a drawn page. More pixels would not be sharper on any screen, and would use memory. */
const PIXELS_MAX = 16_000_000;
/** Maximum number of pixels of an image inside a document. */
const IMAGE_PIXELS_MAX = 64_000_000;
/** Maximum number of characters of a page for screen readers. */
const TEXT_LENGTH_MAX = 20_000;

/** A drawn page. */
export interface DrawnPage {
  readonly canvas: HTMLCanvasElement;
  /** Text of the page in the document's order. Empty for scanned pages. */
  readonly text: string;
}

/** An opened document. */
export interface OpenPdf {
  readonly pages: number;
  /**
   * Draws a page on a new canvas.
   * @param number page number, from 1
   * @param width width in pixels
   */
  draw(number: number, width: number): Promise<DrawnPage>;
  /** Frees the document. It may be called while a page is drawn. */
  close(): void;
}

/** Reads a chosen file in the byte ranges that pdf.js requests. */
class FileRanges extends PDFDataRangeTransport {
  constructor(private readonly file: Blob) {
    super(file.size, null);
  }

  override requestDataRange(begin: number, end: number): void {
    void this.file
      .slice(begin, end)
      .arrayBuffer()
      .then((bytes) => this.onDataRange(begin, new Uint8Array(bytes)));
  }
}

/**
 * Opens a document.
 * @param source its URL, from which only the needed ranges are fetched, or a chosen file
 * @param askPassword called when the document requires a password; `isWrong`: the previous password was wrong. Null cancels. Without this function,
 *   such a document is not opened.
 * @returns null when the document stays locked, after an abort, and when the document or pdf.js could not be fetched
 * @throws UnreadableFileError for a damaged document, and for one without a first page
 */
export async function openPdf(
  source: string | Blob,
  signal: AbortSignal,
  askPassword?: (isWrong: boolean) => Promise<string | null>,
): Promise<OpenPdf | null> {
  const task = getDocument({
    ...(typeof source === "string" ? { url: source } : { range: new FileRanges(source) }),
    cMapUrl: `${ASSETS_PATH}cmaps/`,
    standardFontDataUrl: `${ASSETS_PATH}standard_fonts/`,
    wasmUrl: `${ASSETS_PATH}wasm/`,
    iccUrl: `${ASSETS_PATH}iccs/`,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    maxImageSize: IMAGE_PIXELS_MAX,
    verbosity: VerbosityLevel.ERRORS,
  });
  const close = () => void task.destroy();
  signal.addEventListener("abort", close, { once: true });
  if (askPassword)
    task.onPassword = (update: (password: string) => void, reason: number) => {
      void askPassword(reason === PasswordResponses.INCORRECT_PASSWORD).then((password) =>
        password === null ? close() : update(password),
      );
    };
  try {
    const pdf = await task.promise;
    if (pdf.numPages === 0) throw new InvalidPDFException("The document has no pages.");
    await pdf.getPage(1);
    if (!signal.aborted)
      return { pages: pdf.numPages, draw: (number, width) => draw(pdf, number, width), close };
  } catch (error) {
    close();
    if (isUnreadable(error))
      throw new UnreadableFileError("The document could not be opened.", { cause: error });
  }
  return null;
}

/** Whether an error of pdf.js means that the document is damaged, and not that the network, a password or a script is missing. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof InvalidPDFException || (error as Error).name === "UnknownErrorException";

async function draw(pdf: PDFDocumentProxy, number: number, width: number): Promise<DrawnPage> {
  const page = await pdf.getPage(number);
  const fullViewport = page.getViewport({ scale: 1 });
  const scale = Math.min(
    width / fullViewport.width,
    Math.sqrt(PIXELS_MAX / (fullViewport.width * fullViewport.height)),
  );
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const [content] = await Promise.all([page.getTextContent(), page.render({ canvas, viewport }).promise]);
  const text = content.items
    .map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : ""))
    .join("")
    .slice(0, TEXT_LENGTH_MAX);
  page.cleanup();
  return { canvas, text };
}
