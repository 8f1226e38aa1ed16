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

/** On the server, the parts whose modules are loading for a page. */
const pendingParts = new Set<Promise<unknown>>();

/** On the server, resolves when every part rendered so far, including nested parts, is in place. */
export async function partsInPlace(): Promise<void> {
  while (pendingParts.size > 0) {
    await Promise.allSettled(pendingParts);
    // The renderer continues with a part as soon as it is loaded, and may find nested parts in it.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

function fetchForPage<Part>(load: () => Promise<Part>): Promise<Part> {
  const part = load();
  pendingParts.add(part);
  const done = () => pendingParts.delete(part);
  part.then(done, done);
  return part;
}

/** Resolves when a lost connection comes back. */
export const isOnline = () =>
  new Promise<unknown>((resolve) => addEventListener("online", resolve, { once: true }));

/** Waits for a connection, because a browser never retries a module that failed to load in the same page. */
export async function canFetch(): Promise<void> {
  // Without a network, a page from localhost can still reach its server.
  if (!navigator.onLine)
    await fetch("/favicon.svg", { method: "HEAD", cache: "no-store" }).catch(
      // The connection can be back before the request has failed.
      () => navigator.onLine || isOnline(),
    );
}

/** Reports that its sibling is hydrated. */
function Alive({ tell }: { readonly tell: (isMounted: true) => void }) {
  useEffect(() => startTransition(() => tell(true)), [tell]);
  return null;
}

/** Data that a screen provides to all its parts, late ones included. Each kind of screen gives it its own type. */
export const RouteDataContext = createContext<unknown>(null);

/**
 * Contexts that change above every part. In the browser, the router's contexts are added before the first render. If one of them changes,
 * React discards the server's HTML of a part that is not hydrated yet, and the text typed into it, even if the part does not read it
 * (error 421).
 */
export const trackedContexts: Context<unknown>[] = [RouteDataContext];

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
    const now = [props, ...trackedContexts.map(useContext)] as const;
    const first = useRef(now);
    const [visibleProps, ...around] = isAlive ? now : first.current;
    const part = useMemo(
      () => (
        <Suspense fallback={fallback}>
          <Part {...visibleProps} />
          <Alive tell={setAlive} />
        </Suspense>
      ),
      [visibleProps],
    );
    return trackedContexts.reduce(
      (inner, { Provider }, index) => createElement(Provider, { value: around[index] }, inner),
      part,
    );
  }) as unknown as ComponentType<Props>;
}
