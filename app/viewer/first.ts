/** What comes first of a page with a space: the space, then what makes its drawn parts alive. */

/** Parts wait for a space no longer than this, in milliseconds: over a slow line they come while its files are on their way. */
const PATIENCE_MS = 3000;

const waiting = new Set<() => void>();
let holds = 0;

/** A space begins: parts wait from now on. @returns what lets them go, to be called once the space is there or is not to come */
export function holdParts(): () => void {
  let isHeld = true;
  holds++;
  const release = () => {
    if (!isHeld) return;
    isHeld = false;
    clearTimeout(timer);
    holds--;
    if (holds > 0) return;
    for (const go of waiting) go();
    waiting.clear();
  };
  const timer = setTimeout(release, PATIENCE_MS);
  return release;
}

/** What fetches a part once no space is on its way: at once on the server, and on pages without one. */
export function afterSpace<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async () => {
    if (holds > 0) await new Promise<void>((go) => waiting.add(go));
    return load();
  };
}
