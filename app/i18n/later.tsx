import {
  type ComponentType,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Lang } from "~/domain/model";
import { learn, type WordTree } from "./i18n";

/** The words of a part in each language, as a tree from the root. */
export type LaterWords = Readonly<Record<Lang, () => Promise<WordTree>>>;

/** On the server: parts that are being fetched for a page. */
const underWay = new Set<Promise<unknown>>();

/** On the server: resolves when every part that was drawn so far, and what it draws itself, is in its place. */
export async function partsInPlace(): Promise<void> {
  while (underWay.size > 0) {
    await Promise.allSettled(underWay);
    // The renderer goes on with a part as soon as it is there, and may find others in it.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

function fetchForPage<Part>(load: () => Promise<Part>): Promise<Part> {
  const part = load();
  underWay.add(part);
  const done = () => underWay.delete(part);
  part.then(done, done);
  return part;
}

/** Tells that what it stands beside is alive. */
function Alive({ tell }: { readonly tell: (is: true) => void }) {
  useEffect(() => startTransition(() => tell(true)), [tell]);
  return null;
}

/** In the browser: what is drawn of parts whose script is still on its way, by the words that they have; null once one of them is lost. */
const notAlive = new Map<LaterWords | null, Set<object> | null>();
const waiting = new Set<() => void>();

/** In the browser: resolves when all parts with these words that the page shows are alive, or will not be. What they are told before throws away what the server drew of them. */
export async function partsAlive(words: LaterWords): Promise<void> {
  while (notAlive.get(words)?.size) await new Promise<void>((go) => waiting.add(go));
}

function settled(): void {
  for (const go of waiting) go();
  waiting.clear();
}

/**
 * A part of the page whose script and words come after the page can be used. The server draws it at once, so that it is there
 * without scripts; in the browser it comes alive with its script. Where that never arrives it stays as the server drew it.
 * It is drawn anew only when its properties change, and not before it is alive: React would throw away what the server has drawn
 * (error 421). Until then it has those with which it began.
 * @param fallback in the place of a part that the server has not drawn, until it is there
 */
export function later<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  words: LaterWords | null = null,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Part = lazy(async () => {
    if (typeof document === "undefined") return fetchForPage(load);
    const lang = document.documentElement.lang === "en" ? "en" : "ja";
    try {
      const [part, more] = await Promise.all([load(), words?.[lang]()]);
      if (more) learn(more);
      return part;
    } catch {
      notAlive.set(words, null);
      settled();
      return new Promise<never>(() => {});
    }
  }) as unknown as ComponentType<Props>;
  // biome-ignore lint/correctness/noComponentHookFactories: called where modules are loaded, once a part
  return memo(function Later(props: Props) {
    const [isAlive, setAlive] = useState(false);
    const first = useRef(props);
    useEffect(() => {
      if (isAlive) return;
      if (!notAlive.has(words)) notAlive.set(words, new Set());
      const all = notAlive.get(words);
      all?.add(first);
      return () => {
        all?.delete(first);
        settled();
      };
    }, [isAlive]);
    const shown = isAlive ? props : first.current;
    return useMemo(
      () => (
        <Suspense fallback={fallback}>
          <Part {...shown} />
          <Alive tell={setAlive} />
        </Suspense>
      ),
      [shown],
    );
  }) as unknown as ComponentType<Props>;
}
