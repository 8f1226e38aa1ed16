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

/** How the server renders deferred parts: as pending, or with their results for readers without scripts. */
export interface Drawing {
  readonly outcomeOf: (part: Promise<unknown>) => DeferredOutcome | undefined;
  /** Markers around the parts that are appended to the page (streaming.server); null in the page itself. */
  readonly marks: readonly [before: string, behind: string] | null;
}

/** Provided on the server only. */
export const DrawingContext = createContext<Drawing | null>(null);

const arrived = new WeakMap<Promise<unknown>, DeferredOutcome>();

/** In the browser: the result of a deferred part once it has arrived. A page that is still loading starts without it, as the server rendered it. */
function useOutcome(part: unknown): DeferredOutcome | undefined {
  const [, rerender] = useReducer((round: number) => round + 1, 0);
  useEffect(() => {
    if (!(part instanceof Promise)) return;
    // The part may have arrived after the last render.
    if (arrived.has(part)) return rerender();
    let isMounted = true;
    const setResult = (outcome: DeferredOutcome) => {
      arrived.set(part, outcome);
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
  return part instanceof Promise ? arrived.get(part) : { value: part };
}

/** Like useOutcome, but returns the previous result until the next one arrives. */
function useLastOutcome(part: unknown): DeferredOutcome | undefined {
  const outcome = useOutcome(part);
  const last = useRef(outcome);
  useEffect(() => {
    if (outcome) last.current = outcome;
  });
  return outcome ?? last.current;
}

/** Value of a deferred part once it has arrived; null while the server renders the appended parts. */
export function useDeferredValue<T>(part: T | Promise<T>): T | null {
  const outcome = useOutcome(part);
  return outcome && "value" in outcome ? (outcome.value as T) : null;
}

/** Whether the component is rendered in the appended parts, for readers without scripts. */
export const useIsBehind = (): boolean => Boolean(useContext(DrawingContext)?.marks);

/**
 * Part of the page that may arrive later than the rest, which never waits for it. For readers without scripts the server appends it to the
 * page, and styles display it in place of the fallback (decision 034). It must therefore be the last part of its page.
 * @param part a value, or a promise; a rejection is thrown to the error boundary
 */
export function ArrivingPart<T>({
  part,
  fallback,
  children,
}: {
  readonly part: T | Promise<T>;
  readonly fallback: ReactNode;
  readonly children: (value: T) => ReactNode;
}) {
  const drawing = useContext(DrawingContext);
  const lastResult = useLastOutcome(part);
  const isLate = part instanceof Promise;
  const outcome = drawing && isLate ? drawing.outcomeOf(part) : lastResult;
  // The connection failed: the error boundary offers a retry.
  if (outcome && "error" in outcome) throw outcome.error;
  const [before, behind] = (isLate && drawing?.marks) || [];
  return (
    <div>
      {before && <template id={before} />}
      {outcome ? children(outcome.value as T) : <div data-waiting="">{fallback}</div>}
      {behind && <template id={behind} />}
    </div>
  );
}
