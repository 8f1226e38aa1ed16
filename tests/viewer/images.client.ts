/** The page on which image converters and the document reader are tested: window.images. */
import type { ConversionError } from "~/features/library/prepare/conversion";
import { convertImage, convertPanorama } from "~/features/library/prepare/panorama.client";
import { openPdf } from "~/features/library/reader/pdf.client";

interface SourceFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

const toBlob = ({ base64, type }: SourceFile): Blob =>
  new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type });

/** Files that the last conversion created, by name. */
const created = new Map<string, Blob>();

const images = {
  /** Converts the first file with the others as companions. Returns the created files, or the error's code or name and its values. */
  async convert(conversion: "image" | "panorama", sources: readonly SourceFile[], cancelAt?: string) {
    created.clear();
    const [mainFile, ...companionFiles] = sources;
    if (!mainFile) throw new TypeError("no file");
    const abort = new AbortController();
    const steps: string[] = [];
    try {
      const { files, before, after } = await (conversion === "image" ? convertImage : convertPanorama)({
        file: toBlob(mainFile),
        fileName: mainFile.name,
        mimeType: mainFile.type,
        companions: new Map(companionFiles.map((file) => [file.name, toBlob(file)])),
        quality: 0.9,
        signal: abort.signal,
        onProgress: (_share, step) => {
          if (!steps.includes(step)) steps.push(step);
          if (step === cancelAt) abort.abort();
        },
      });
      const results = [];
      for (const { role, name, blob, mimeType } of files) {
        created.set(name, blob);
        const { width, height } = await createImageBitmap(blob);
        results.push({ role, name, mimeType, width, height });
      }
      return { files: results, before, after, steps };
    } catch (error) {
      const { name, code, values } = error as ConversionError;
      return { error: name === "ConversionError" ? code : name, values };
    }
  },
  /** Returns the colours of a created file at points, which are shares of its width and height. */
  async colours(name: string, points: readonly (readonly [x: number, y: number])[]) {
    const blob = created.get(name);
    if (!blob) throw new TypeError(`no ${name}`);
    const bitmap = await createImageBitmap(blob);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", {
      willReadFrequently: true,
    });
    context?.drawImage(bitmap, 0, 0);
    return points.map(([x, y]) => {
      const toPixel = (share: number, size: number) =>
        Math.min(size - 1, Math.max(0, Math.floor(share * size)));
      const pixel = context?.getImageData(toPixel(x, bitmap.width), toPixel(y, bitmap.height), 1, 1).data;
      return [...(pixel ?? [])].slice(0, 3);
    });
  },
  /**
   * Opens a document with passwords, one attempt after another. Returns the text of its first page, or null, and for each request for
   * a password whether the previous one was wrong.
   */
  async document(base64: string, passwords: readonly string[]) {
    const wrongBefore: boolean[] = [];
    const opened = await openPdf(
      toBlob({ name: "a.pdf", type: "application/pdf", base64 }),
      new AbortController().signal,
      async (isWrong) => {
        wrongBefore.push(isWrong);
        return passwords[wrongBefore.length - 1] ?? null;
      },
    );
    const text = opened && (await opened.draw(1, 200)).text;
    opened?.close();
    return { text, wrongBefore };
  },
  /** A created file, as base64. */
  async file(name: string): Promise<string> {
    const bytes = new Uint8Array((await created.get(name)?.arrayBuffer()) ?? new ArrayBuffer(0));
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  },
};

declare global {
  interface Window {
    images: typeof images;
  }
}

window.images = images;
