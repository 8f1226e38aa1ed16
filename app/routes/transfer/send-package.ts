/** Uploads a package in slices from a page with scripts. A package may be larger than a form allows, and an interrupted upload can be resumed. */

/** Result of uploading a package. */
export type UploadResult =
  | { readonly id: string }
  /** The connection was lost; the received slices are kept. */
  | { readonly isInterrupted: true }
  | { readonly problems: readonly Problem[] };

/** Problem of a package. */
export interface Problem {
  /** Path in the package's description, or a field of the API request; null for the whole package. */
  readonly location: string | null;
  /** Displayed text. */
  readonly message: string;
}

interface StartedImport {
  readonly uuid: string;
  readonly part_size: number;
  readonly parts: readonly { readonly number: number }[];
}

const CONCURRENT_SLICES = 3;
const IMPORTS_URL = "/api/v1/imports";
/** Fields of the API calls that describe the whole package. */
const PACKAGE_FIELDS: readonly string[] = ["file", "file_name", "byte_size"];

/** Reads a problem document. */
async function readProblems(response: Response): Promise<UploadResult> {
  const problem = (await response.json().catch(() => ({}))) as {
    readonly detail?: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
  const entries = (problem.errors ?? []).map(({ field, message }) => ({
    location: PACKAGE_FIELDS.includes(field) ? null : field,
    message,
  }));
  return {
    problems:
      entries.length > 0 ? entries : [{ location: null, message: problem.detail ?? response.statusText }],
  };
}

/**
 * Uploads a file and imports it.
 * @param interruptedId id of an interrupted import of the same file, which is resumed
 * @param listener called with the id of the import, and with the progress from 0 to 1
 */
export async function sendPackage(
  file: File,
  target: { readonly space_uuid?: string; readonly folder_uuid?: string },
  interruptedId: string | null,
  listener: { readonly onStarted: (id: string) => void; readonly onProgress: (share: number) => void },
): Promise<UploadResult> {
  try {
    const interruptedImport = interruptedId === null ? null : await fetch(`${IMPORTS_URL}/${interruptedId}`);
    const response = interruptedImport?.ok
      ? interruptedImport
      : await fetch(IMPORTS_URL, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ file_name: file.name, byte_size: file.size, ...target }),
        });
    if (!response.ok) return readProblems(response);
    const { uuid, part_size: sliceSize, parts } = (await response.json()) as StartedImport;
    listener.onStarted(uuid);
    const receivedNumbers = new Set(parts.map(({ number }) => number));
    const sliceCount = Math.ceil(file.size / sliceSize);
    const pendingNumbers = Array.from({ length: sliceCount }, (_, i) => i + 1).filter(
      (number) => !receivedNumbers.has(number),
    );
    let rejection: Response | null = null;
    const sendSlices = async () => {
      for (
        let number = pendingNumbers.shift();
        number !== undefined && !rejection;
        number = pendingNumbers.shift()
      ) {
        const body = file.slice((number - 1) * sliceSize, number * sliceSize);
        const sliceResponse = await fetch(`${IMPORTS_URL}/${uuid}/parts/${number}`, { method: "PUT", body });
        if (!sliceResponse.ok) rejection = sliceResponse;
        else receivedNumbers.add(number);
        listener.onProgress(receivedNumbers.size / sliceCount);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_SLICES }, sendSlices));
    if (rejection) return readProblems(rejection);
    listener.onProgress(1);
    const completion = await fetch(`${IMPORTS_URL}/${uuid}/complete`, { method: "POST" });
    return completion.ok ? { id: uuid } : readProblems(completion);
  } catch {
    return { isInterrupted: true };
  }
}
