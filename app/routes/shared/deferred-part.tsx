import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useReducer,
  useRef,
} from "react";

/** Result of a deferred part of the page. */
export type DeferredOutcome = { readonly value: unknown } | { readonly error: unknown };

/** Rendering of deferred parts on the server: as pending, or with their results for readers without scripts. */
export interface DeferredRendering {
  readonly outcomeOf: (part: Promise<unknown>) => DeferredOutcome | undefined;
  /** Markers around the parts that are appended to the page (deferred-parts.server); null in the page itself. */
  readonly marks: readonly [startId: string, endId: string] | null;
}

/** Provided on the server only. */
export const DeferredRenderingContext = createContext<DeferredRendering | null>(null);

const settledOutcomes = new WeakMap<Promise<unknown>, DeferredOutcome>();

/** In the browser: the result of a deferred part once it has arrived. A page that is still loading starts without it, as the server rendered it. */
function useOutcome(part: unknown): DeferredOutcome | undefined {
  const [, rerender] = useReducer((round: number) => round + 1, 0);
  useEffect(() => {
    if (!(part instanceof Promise)) return;
    // The part may have arrived after the last render.
    if (settledOutcomes.has(part)) return rerender();
    let isMounted = true;
    const setResult = (outcome: DeferredOutcome) => {
      settledOutcomes.set(part, outcome);
      if (isMounted) startTransition(rerender);
    };
    part.then(
      (value) => setResult({ value }),
      // A navigation to another page aborted the load. This page stays unchanged until the other one is rendered.
      (error) => (error instanceof DOMException && error.name === "AbortError" ? null : setResult({ error })),
    );
    return () => {
      isMounted = false;
    };
  }, [part]);
  return part instanceof Promise ? settledOutcomes.get(part) : { value: part };
}

/** Like useOutcome, but returns the previous result until the next one arrives. */
function useLastOutcome(part: unknown): DeferredOutcome | undefined {
  const outcome = useOutcome(part);
  const lastOutcome = useRef(outcome);
  useEffect(() => {
    if (outcome) lastOutcome.current = outcome;
  });
  return outcome ?? lastOutcome.current;
}

/** Value of a deferred part once it has arrived in the browser; null until then, if it failed, and on the server. A part that is no promise is returned as it is. */
export function useDeferredPartValue<T>(part: T | Promise<T>): T | null {
  const outcome = useOutcome(part);
  return outcome && "value" in outcome ? (outcome.value as T) : null;
}

/** Whether the component is rendered as one of the appended parts, for readers without scripts. */
export const useIsAppended = (): boolean => Boolean(useContext(DeferredRenderingContext)?.marks);

/**
 * Part of the page that may arrive later than the rest, which never waits for it. For readers without scripts the server appends it to the
 * page, and styles display it in place of the fallback (decision 034). It must therefore be the last part of its page.
 * @param part a value, or a promise; a rejection is thrown to the error boundary
 */
export function DeferredPart<T>({
  part,
  fallback,
  children,
}: {
  readonly part: T | Promise<T>;
  readonly fallback: ReactNode;
  readonly children: (value: T) => ReactNode;
}) {
  const rendering = useContext(DeferredRenderingContext);
  const lastOutcome = useLastOutcome(part);
  const isDeferred = part instanceof Promise;
  const outcome = rendering && isDeferred ? rendering.outcomeOf(part) : lastOutcome;
  // The error boundary offers a retry.
  if (outcome && "error" in outcome) throw outcome.error;
  const [startMark, endMark] = (isDeferred && rendering?.marks) || [];
  return (
    <div>
      {startMark && <template id={startMark} />}
      {outcome ? children(outcome.value as T) : <div data-waiting="">{fallback}</div>}
      {endMark && <template id={endMark} />}
    </div>
  );
}
