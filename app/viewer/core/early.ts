/** What a space is made of is asked for while the code that shows it is still on its way. */
import type { ViewerSource } from "./contract";

interface Asked {
  readonly url: string;
  readonly answer: Promise<Response>;
}

const asked = new Set<Asked>();

/** Asks for the file of a source that is one file, until `signal` aborts. Whoever takes the answer deals with its failures. */
export function askEarly(source: ViewerSource, signal: AbortSignal): void {
  if (source.kind !== "model" && source.kind !== "splat") return;
  const one: Asked = { url: source.url, answer: fetch(source.url, { signal }) };
  one.answer.catch(() => {});
  asked.add(one);
  signal.addEventListener("abort", () => asked.delete(one), { once: true });
}

/** The answer that was asked for early, to be taken once; null where nobody has asked. */
export function takeEarly(url: string): Promise<Response> | null {
  for (const one of asked)
    if (one.url === url) {
      asked.delete(one);
      return one.answer;
    }
  return null;
}
