/** Uploads a package in slices from a page with scripts. A package may be larger than a form allows, and an interrupted upload can be resumed. */

/** Result of uploading a package. */
export type Sent =
  | { readonly id: string }
  /** The connection was lost; the received slices are kept. */
  | { readonly cut: true }
  | { readonly problems: readonly Problem[] };

/** Problem of a package as a packed message, with its location; null for the whole package. */
export interface Problem {
  readonly where: string | null;
  readonly what: string;
}

interface Begun {
  readonly uuid: string;
  readonly part_size: number;
  readonly parts: readonly { readonly number: number }[];
}

const SIDE_BY_SIDE = 3;
const BASE = "/api/v1/imports";

/** Reads a problem document. */
async function problemsOf(response: Response): Promise<Sent> {
  const problem = (await response.json().catch(() => ({}))) as {
    readonly detail?: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
  const listed = (problem.errors ?? []).map(({ field, message }) => ({ where: field, what: message }));
  return {
    problems: listed.length > 0 ? listed : [{ where: null, what: problem.detail ?? response.statusText }],
  };
}

/**
 * Uploads a file and imports it.
 * @param known import of the same file that was interrupted, to resume it
 * @param told called with the id of the import and with the progress from 0 to 1
 */
export async function sendPackage(
  file: File,
  target: { readonly space_uuid?: string; readonly folder_uuid?: string },
  known: string | null,
  told: { readonly begun: (id: string) => void; readonly sent: (share: number) => void },
): Promise<Sent> {
  try {
    const before = known === null ? null : await fetch(`${BASE}/${known}`);
    const answer = before?.ok
      ? before
      : await fetch(BASE, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ file_name: file.name, byte_size: file.size, ...target }),
        });
    if (!answer.ok) return problemsOf(answer);
    const { uuid, part_size: size, parts } = (await answer.json()) as Begun;
    told.begun(uuid);
    const arrived = new Set(parts.map(({ number }) => number));
    const count = Math.ceil(file.size / size);
    const waiting = Array.from({ length: count }, (_, i) => i + 1).filter((number) => !arrived.has(number));
    let refused: Response | null = null;
    const work = async () => {
      for (let number = waiting.shift(); number !== undefined && !refused; number = waiting.shift()) {
        const body = file.slice((number - 1) * size, number * size);
        const response = await fetch(`${BASE}/${uuid}/parts/${number}`, { method: "PUT", body });
        if (!response.ok) refused = response;
        else arrived.add(number);
        told.sent(arrived.size / count);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    if (refused) return problemsOf(refused);
    told.sent(1);
    const done = await fetch(`${BASE}/${uuid}/complete`, { method: "POST" });
    return done.ok ? { id: uuid } : problemsOf(done);
  } catch {
    return { cut: true };
  }
}
