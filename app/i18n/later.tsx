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
export const waitForConnection = () =>
  new Promise<unknown>((resolve) => addEventListener("online", resolve, { once: true }));

/** Waits for a connection, because a browser never retries a module that failed to load in the same page. */
export async function canFetch(): Promise<void> {
  // Without a network, a page from localhost can still reach its server.
  if (!navigator.onLine)
    await fetch("/favicon.svg", { method: "HEAD", cache: "no-store" }).catch(
      // The connection can be back before the request has failed.
      () => navigator.onLine || waitForConnection(),
    );
}

/** Reports that its sibling is hydrated. */
function HydrationReporter({ onHydrated }: { readonly onHydrated: (isHydrated: true) => void }) {
  useEffect(() => startTransition(() => onHydrated(true)), [onHydrated]);
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
 * A part of the page whose script loads after the page can be used. The server renders it with the page, so that it is there without scripts. In the
 * browser it is hydrated when its script has loaded; without the script, the server's HTML stays. Until it is hydrated, it keeps its first properties
 * and contexts; afterwards it is rendered again when they change.
 * @param fallback is shown until the part has loaded, if the server did not render it
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
    const [isHydrated, setHydrated] = useState(false);
    const now = [props, ...trackedContexts.map(useContext)] as const;
    const first = useRef(now);
    const [visibleProps, ...contextValues] = isHydrated ? now : first.current;
    const part = useMemo(
      () => (
        <Suspense fallback={fallback}>
          <Part {...visibleProps} />
          <HydrationReporter onHydrated={setHydrated} />
        </Suspense>
      ),
      [visibleProps],
    );
    return trackedContexts.reduce(
      (inner, { Provider }, index) => createElement(Provider, { value: contextValues[index] }, inner),
      part,
    );
  }) as unknown as ComponentType<Props>;
}
