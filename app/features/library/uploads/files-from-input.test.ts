import { expect, it } from "vitest";
import { chosenFiles, droppedFiles, pastedFiles } from "./files-from-input";
import type { ChosenFile } from "./upload-state";

const file = (name: string, webkitRelativePath = "") =>
  Object.defineProperty(new File(["x"], name, { type: "image/png" }), "webkitRelativePath", {
    value: webkitRelativePath,
  });
const listPaths = (files: readonly ChosenFile[]) =>
  files.map(({ file: { name }, path }) => [...path, name].join("/"));

const fileEntry = (name: string) => ({
  isFile: true,
  name,
  file: (onFile: (file: File) => void) => onFile(file(name)),
});
/** Creates a folder whose reader returns its entries in several reads. */
const folderEntry = (name: string, children: readonly object[], entriesPerRead = 2) => ({
  isFile: false,
  name,
  createReader() {
    let index = 0;
    return {
      readEntries(onEntries: (entries: readonly object[]) => void) {
        onEntries(children.slice(index, index + entriesPerRead));
        index += entriesPerRead;
      },
    };
  },
});
const createTransfer = (entries: readonly (object | null)[]) =>
  ({
    items: entries.map((entry) => ({
      kind: "file",
      webkitGetAsEntry: () => entry,
      getAsFile: () => file("plain.png"),
    })),
  }) as unknown as DataTransfer;

it("files of a chosen folder have their folder paths, and system files are left out", () => {
  const files = [file("a.png", "trip/sea/a.png"), file(".DS_Store", "trip/.DS_Store"), file("b.png")];
  expect(listPaths(chosenFiles(files))).toEqual(["trip/sea/a.png", "b.png"]);
});

it("dropped folders are read completely, although a reader returns only some entries at a time", async () => {
  const seaFolder = folderEntry(
    "sea",
    [1, 2, 3, 4, 5].map((n) => fileEntry(`${n}.png`)),
  );
  const dropped = createTransfer([
    folderEntry("trip", [fileEntry("Thumbs.db"), seaFolder]),
    fileEntry("b.png"),
    null,
  ]);
  expect(listPaths(await droppedFiles(dropped))).toEqual([
    ...[1, 2, 3, 4, 5].map((n) => `trip/sea/${n}.png`),
    "b.png",
    "plain.png",
  ]);
});

it("a pasted image that the browser named gets another name, and a copied file keeps its name", () => {
  const transfer = { files: [file("image.png"), file("cat.png")] } as unknown as DataTransfer;
  const [renamedFile, copiedFile] = pastedFiles(transfer, "Pasted 1");
  expect([renamedFile?.file.name, renamedFile?.file.type, copiedFile?.file.name]).toEqual([
    "Pasted 1.png",
    "image/png",
    "cat.png",
  ]);
});
