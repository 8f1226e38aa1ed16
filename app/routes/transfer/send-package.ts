/** Sends a package in slices, as a page with scripts does: it may be larger than a form, and goes on where it broke off. */

/** What became of a package that was sent. */
export type Sent =
  | { readonly id: string }
  /** Nothing was answered: what has arrived is kept. */
  | { readonly cut: true }
  | { readonly problems: readonly Problem[] };

/** What is wrong with a package, in words, and where in it; null: with the whole of it. */
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

/** What a problem document says. */
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
 * Sends a file and has it imported. @param known the import that was begun for the same file, to go on with
 * @param told is called with the id of the import, and with how much has arrived, from 0 to 1
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
