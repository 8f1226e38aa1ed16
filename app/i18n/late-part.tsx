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

/** On the server, the late parts whose modules are loading for a page. */
const pendingParts = new Set<Promise<unknown>>();

/** On the server, resolves when every late part rendered so far, including nested ones, is in its place. */
export async function waitForLateParts(): Promise<void> {
  while (pendingParts.size > 0) {
    await Promise.allSettled(pendingParts);
    // The renderer continues with a part as soon as it is loaded, and may find nested parts in it.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

function loadOnServer<Part>(load: () => Promise<Part>): Promise<Part> {
  const loading = load();
  pendingParts.add(loading);
  const removePart = () => pendingParts.delete(loading);
  loading.then(removePart, removePart);
  return loading;
}

/** Resolves when a lost connection comes back. */
export const waitForConnection = () =>
  new Promise<unknown>((resolve) => addEventListener("online", resolve, { once: true }));

/** Interval between two requests while the connection is back but the server does not respond yet, in milliseconds. It doubles up to the maximum. */
const RETRY_MS = 500;
const RETRY_MAX_MS = 5_000;

const isServerReachable = () =>
  fetch("/favicon.svg", { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );

async function waitForServer(): Promise<void> {
  // Without a network, a page from localhost can still reach its server. The browser can report a connection before requests succeed.
  for (let delay = RETRY_MS; !(await isServerReachable()); delay = Math.min(2 * delay, RETRY_MAX_MS))
    await (navigator.onLine ? new Promise((resolve) => setTimeout(resolve, delay)) : waitForConnection());
}

let waitingForServer: Promise<void> | null = null;

/** Waits for a connection, because a browser never retries a module that failed to load in the same page. All parts wait together. */
export async function waitUntilServerIsReachable(): Promise<void> {
  if (navigator.onLine && !waitingForServer) return;
  waitingForServer ??= waitForServer().finally(() => {
    waitingForServer = null;
  });
  await waitingForServer;
}

/** Reports that the part beside it in the same Suspense boundary is hydrated. */
function ReportHydrated({ onHydrated }: { readonly onHydrated: (isMounted: true) => void }) {
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
 * Creates a late part: a part of the page whose script is loaded after the page can be used. The server renders it, so that it also exists without
 * scripts. In the browser it is hydrated when its script has arrived; if the script never arrives, the server's HTML stays. Until it is hydrated, it
 * has its initial properties and contexts. Later it is rendered again when they change.
 * @param fallback content that is displayed until the part is loaded, if the server has not rendered it
 */
export function createLatePart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Part = lazy(async () => {
    if (typeof document === "undefined") return loadOnServer(load);
    try {
      await waitUntilServerIsReachable();
      return await load();
    } catch {
      return new Promise<never>(() => {});
    }
  }) as unknown as ComponentType<Props>;
  return memo(function LatePart(props: Props) {
    const [isHydrated, setHydrated] = useState(false);
    const currentValues = [props, ...trackedContexts.map(useContext)] as const;
    const initialValues = useRef(currentValues);
    const [visibleProps, ...visibleContexts] = isHydrated ? currentValues : initialValues.current;
    const part = useMemo(
      () => (
        <Suspense fallback={fallback}>
          <Part {...visibleProps} />
          <ReportHydrated onHydrated={setHydrated} />
        </Suspense>
      ),
      [visibleProps],
    );
    return trackedContexts.reduce(
      (inner, { Provider }, index) => createElement(Provider, { value: visibleContexts[index] }, inner),
      part,
    );
  }) as unknown as ComponentType<Props>;
}
