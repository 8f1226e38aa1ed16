import type { ChosenFile } from "./model";

/** What systems put into folders for themselves. */
const SYSTEM_FILES = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

const isOwn = ({ file }: ChosenFile) => !SYSTEM_FILES.test(file.name);

/** Files of a file input; those of a whole folder come with the folders they lie in. */
export const chosenFiles = (list: Iterable<File>): ChosenFile[] =>
  [...list].map((file) => ({ file, path: file.webkitRelativePath.split("/").slice(0, -1) })).filter(isOwn);

/**
 * Files that were dropped, with those in folders that were dropped. What lies in them must be asked for before the event is
 * over, so call it at once.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<ChosenFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  const found = await Promise.all(
    entries.map((entry) => {
      if (entry === null) return [];
      return entry instanceof File ? [{ file: entry, path: [] }] : filesBelow(entry, []);
    }),
  );
  return found.flat().filter(isOwn);
}

async function filesBelow(entry: FileSystemEntry, path: readonly string[]): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File | null>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(null)),
    );
    return file ? [{ file, path }] : [];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: ChosenFile[] = [];
  for (;;) {
    // A reader hands out a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (some.length === 0) return inside;
    for (const each of some) inside.push(...(await filesBelow(each, [...path, entry.name])));
  }
}

/** Files of the clipboard. A picture that was copied out of a page has no name of its own: `nameless` gives it one. */
export function pastedFiles(transfer: DataTransfer, nameless: string): ChosenFile[] {
  return [...transfer.files].map((file) => {
    const [, extension = ""] = /^image(\.\w+)$/.exec(file.name) ?? [];
    const named = extension
      ? new File([file], `${nameless}${extension}`, { type: file.type, lastModified: file.lastModified })
      : file;
    return { file: named, path: [] };
  });
}
