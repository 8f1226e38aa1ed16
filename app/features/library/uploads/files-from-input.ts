import type { ChosenFile } from "./upload-state";

/** Names of files that operating systems create in folders. */
const SYSTEM_FILES = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

const isUserFile = ({ file }: ChosenFile) => !SYSTEM_FILES.test(file.name);

/** Returns the files of a file input. Those of a folder have their folder paths. */
export const chosenFiles = (list: Iterable<File>): ChosenFile[] =>
  [...list]
    .map((file) => ({ file, path: file.webkitRelativePath.split("/").slice(0, -1) }))
    .filter(isUserFile);

/**
 * Returns dropped files, including those in dropped folders. The browser allows access to the entries only during the event, so
 * call it synchronously.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<ChosenFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  const files = await Promise.all(
    entries.map((entry) => {
      if (entry === null) return [];
      return entry instanceof File ? [{ file: entry, path: [] }] : listFiles(entry, []);
    }),
  );
  return files.flat().filter(isUserFile);
}

async function listFiles(entry: FileSystemEntry, path: readonly string[]): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File | null>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(null)),
    );
    return file ? [{ file, path }] : [];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: ChosenFile[] = [];
  for (;;) {
    // A reader returns up to a hundred entries at a time, and an empty list at the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (entries.length === 0) return files;
    for (const child of entries) files.push(...(await listFiles(child, [...path, entry.name])));
  }
}

/** Returns the files of the clipboard. Images that browsers named "image", because they were copied from a page, are named `fallbackName`. */
export function pastedFiles(transfer: DataTransfer, fallbackName: string): ChosenFile[] {
  return [...transfer.files].map((file) => {
    const [, extension = ""] = /^image(\.\w+)$/.exec(file.name) ?? [];
    const namedFile = extension
      ? new File([file], `${fallbackName}${extension}`, { type: file.type, lastModified: file.lastModified })
      : file;
    return { file: namedFile, path: [] };
  });
}
