import {
  type ComponentType,
  type Context,
  createContext,
  createElement,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";

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

/** Resolves when a lost connection comes back. */
export const isOnline = () =>
  new Promise<unknown>((resolve) => addEventListener("online", resolve, { once: true }));

/** A script that could not be fetched once is never fetched again by its page: without a connection none is asked for. */
async function canFetch(): Promise<void> {
  // Without a network as well, a page of this machine has its server.
  if (!navigator.onLine) await fetch("/favicon.svg", { method: "HEAD", cache: "no-store" }).catch(isOnline);
}

/** Tells that what it stands beside is alive. */
function Alive({ tell }: { readonly tell: (is: true) => void }) {
  useEffect(() => startTransition(() => tell(true)), [tell]);
  return null;
}

/** What a screen tells all its parts, late ones as well: each kind of screen names it with its own type. */
export const ToldContext = createContext<unknown>(null);

/**
 * What changes above every part: in the browser the router's contexts are added before anything is drawn. Whatever of it changes, and
 * whether a part reads it or not, React throws away what the server has drawn of one that is not alive yet, and what was typed into it
 * (error 421).
 */
export const changing: Context<unknown>[] = [ToldContext];

/**
 * A part of the page whose script comes after the page can be used. The server draws it at once, so that it is there
 * without scripts; in the browser it comes alive with its script. Where that never arrives it stays as the server drew it.
 * Until it is alive it keeps the properties and contexts with which it began, and afterwards it is drawn again when they change.
 * @param fallback in the place of a part that the server has not drawn, until it is there
 */
export function later<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Part = lazy(async () => {
    if (typeof document === "undefined") return fetchForPage(load);
    try {
      await canFetch();
      return await load();
    } catch {
      return new Promise<never>(() => {});
    }
  }) as unknown as ComponentType<Props>;
  return memo(function Later(props: Props) {
    const [isAlive, setAlive] = useState(false);
    const now = [props, ...changing.map(useContext)] as const;
    const first = useRef(now);
    const [shown, ...around] = isAlive ? now : first.current;
    const part = useMemo(
      () => (
        <Suspense fallback={fallback}>
          <Part {...shown} />
          <Alive tell={setAlive} />
        </Suspense>
      ),
      [shown],
    );
    return changing.reduce(
      (inner, { Provider }, at) => createElement(Provider, { value: around[at] }, inner),
      part,
    );
  }) as unknown as ComponentType<Props>;
}
