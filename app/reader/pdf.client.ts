/** Draws PDF documents page by page. Scripts in a document do not run. Besides the document, only files of this site's /assets are fetched. */
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

/** Address of the character maps, fonts and decoders that pdf.js loads on demand; vite.config.ts puts them there. */
const FILES = `/assets/pdf-${version}/`;
/** Pixels of a drawn page: more is no sharper on any screen, and costs memory. */
const PIXELS_MAX = 16_000_000;
/** Pixels of a picture inside a document. */
const PICTURE_PIXELS_MAX = 64_000_000;
/** Characters of a page that are read out. */
const TEXT_MAX = 20_000;

/** A drawn page. */
export interface DrawnPage {
  readonly canvas: HTMLCanvasElement;
  /** What is written on it, in the document's order; "" for a page of pictures. */
  readonly text: string;
}

/** A document that was opened. */
export interface OpenDocument {
  readonly pages: number;
  /**
   * Draws a page on a canvas of its own.
   * @param number from 1
   * @param width pixels across
   */
  draw(number: number, width: number): Promise<DrawnPage>;
  /** Frees it, also in the middle of a page. */
  close(): void;
}

/** A chosen file, read where the document needs it. */
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
 * @param source its address, of which only what is looked at is fetched, or a chosen file
 * @param askPassword is asked when the document wants a password; isWrong: the one before was none. Null gives up. Without it such a
 *   document is not opened.
 * @returns null when the document stays locked, when `signal` aborts, and when the document or the program could not be fetched
 * @throws UnreadableFileError for a damaged document, and for one without a first page
 */
export async function openDocument(
  source: string | Blob,
  signal: AbortSignal,
  askPassword?: (isWrong: boolean) => Promise<string | null>,
): Promise<OpenDocument | null> {
  const task = getDocument({
    ...(typeof source === "string" ? { url: source } : { range: new FileRanges(source) }),
    cMapUrl: `${FILES}cmaps/`,
    standardFontDataUrl: `${FILES}standard_fonts/`,
    wasmUrl: `${FILES}wasm/`,
    iccUrl: `${FILES}iccs/`,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    maxImageSize: PICTURE_PIXELS_MAX,
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
    const opened = await task.promise;
    if (opened.numPages === 0) throw new InvalidPDFException("The document has no pages.");
    await opened.getPage(1);
    if (!signal.aborted)
      return { pages: opened.numPages, draw: (number, width) => draw(opened, number, width), close };
  } catch (error) {
    close();
    if (isUnreadable(error))
      throw new UnreadableFileError("The document could not be opened.", { cause: error });
  }
  return null;
}

/** True for errors that pdf.js raises for a damaged document, and not for those of the network, passwords or lost scripts. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof InvalidPDFException || (error as Error).name === "UnknownErrorException";

async function draw(opened: PDFDocumentProxy, number: number, width: number): Promise<DrawnPage> {
  const page = await opened.getPage(number);
  const whole = page.getViewport({ scale: 1 });
  const scale = Math.min(width / whole.width, Math.sqrt(PIXELS_MAX / (whole.width * whole.height)));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const [content] = await Promise.all([page.getTextContent(), page.render({ canvas, viewport }).promise]);
  const text = content.items
    .map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : ""))
    .join("")
    .slice(0, TEXT_MAX);
  page.cleanup();
  return { canvas, text };
}
