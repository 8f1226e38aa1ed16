import type { CachedFile, FileStorage } from "./ports";

const DATABASE_NAME = "hiroba-uploads";
/** Object stores: "notes" holds the metadata and "files" the files, so that a change of the metadata does not write the large file again. */
const STORES = ["notes", "files"] as const;
type FileMetadata = Omit<CachedFile, "file">;

const waitForRequest = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const waitForTransaction = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE_NAME, 1);
  request.onupgradeneeded = () => {
    for (const store of STORES) request.result.createObjectStore(store);
  };
  return waitForRequest(request);
}

/**
 * Stores files in the browser's IndexedDB. A file that cannot be stored, for example because there is no space, is lost with the page, and the user
 * must choose it again.
 */
export function browserFiles(): FileStorage {
  let database: Promise<IDBDatabase> | undefined;
  // Files are written one after the other, because parallel writes of large files would slow down each other and the page.
  let lastWork: Promise<unknown> = Promise.resolve();
  const runInTurn = <T>(work: (database: IDBDatabase) => Promise<T>, fallback: T): Promise<T> => {
    const result = lastWork
      .then(() => {
        database ??= openDatabase();
        return database;
      })
      .then(work)
      .catch(() => fallback);
    lastWork = result;
    return result;
  };
  const write = (change: (notes: IDBObjectStore, files: IDBObjectStore) => void) =>
    runInTurn((db) => {
      const transaction = db.transaction(STORES, "readwrite");
      change(transaction.objectStore("notes"), transaction.objectStore("files"));
      return waitForTransaction(transaction);
    }, undefined);
  return {
    all: () =>
      runInTurn<readonly CachedFile[]>(async (db) => {
        const transaction = db.transaction(STORES, "readonly");
        const notes = waitForRequest<FileMetadata[]>(transaction.objectStore("notes").getAll());
        const files = transaction.objectStore("files");
        const keys = waitForRequest(files.getAllKeys());
        const values = waitForRequest<File[]>(files.getAll());
        const byId = new Map((await keys).map((key, index) => [String(key), index]));
        const stored = await values;
        return (await notes).flatMap((note) => {
          const file = stored[byId.get(note.id) ?? -1];
          return file ? [{ ...note, file }] : [];
        });
      }, []),
    store: ({ file, ...note }) =>
      write((notes, files) => {
        notes.put(note satisfies FileMetadata, note.id);
        files.put(file, note.id);
      }),
    update: (id, change) =>
      write((notes) => {
        const request: IDBRequest<FileMetadata | undefined> = notes.get(id);
        request.onsuccess = () => request.result && notes.put({ ...request.result, ...change }, id);
      }),
    drop: (id) =>
      write((notes, files) => {
        notes.delete(id);
        files.delete(id);
      }),
  };
}
