/** Uploads a package in slices from a page with scripts. A package may be larger than a form allows, and an interrupted upload can be resumed. */

/** Result of uploading a package. */
export type UploadResult =
  | { readonly id: string }
  /** The connection was lost; the received slices are kept. */
  | { readonly isInterrupted: true }
  | { readonly problems: readonly Problem[] };

/** Problem of a package as a packed message, with its location; null for the whole package. */
export interface Problem {
  readonly location: string | null;
  readonly message: string;
}

interface Begun {
  readonly uuid: string;
  readonly part_size: number;
  readonly parts: readonly { readonly number: number }[];
}

const CONCURRENT_SLICES = 3;
const BASE = "/api/v1/imports";

/** Reads a problem document. */
async function problemsOf(response: Response): Promise<UploadResult> {
  const problem = (await response.json().catch(() => ({}))) as {
    readonly detail?: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
  const entries = (problem.errors ?? []).map(({ field, message }) => ({ location: field, message }));
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
  listener: { readonly begun: (id: string) => void; readonly sent: (share: number) => void },
): Promise<UploadResult> {
  try {
    const before = interruptedId === null ? null : await fetch(`${BASE}/${interruptedId}`);
    const response = before?.ok
      ? before
      : await fetch(BASE, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ file_name: file.name, byte_size: file.size, ...target }),
        });
    if (!response.ok) return problemsOf(response);
    const { uuid, part_size: size, parts } = (await response.json()) as Begun;
    listener.begun(uuid);
    const receivedNumbers = new Set(parts.map(({ number }) => number));
    const count = Math.ceil(file.size / size);
    const pendingNumbers = Array.from({ length: count }, (_, i) => i + 1).filter(
      (number) => !receivedNumbers.has(number),
    );
    let rejection: Response | null = null;
    const sendParts = async () => {
      for (
        let number = pendingNumbers.shift();
        number !== undefined && !rejection;
        number = pendingNumbers.shift()
      ) {
        const body = file.slice((number - 1) * size, number * size);
        const response = await fetch(`${BASE}/${uuid}/parts/${number}`, { method: "PUT", body });
        if (!response.ok) rejection = response;
        else receivedNumbers.add(number);
        listener.sent(receivedNumbers.size / count);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_SLICES }, sendParts));
    if (rejection) return problemsOf(rejection);
    listener.sent(1);
    const completion = await fetch(`${BASE}/${uuid}/complete`, { method: "POST" });
    return completion.ok ? { id: uuid } : problemsOf(completion);
  } catch {
    return { isInterrupted: true };
  }
}
