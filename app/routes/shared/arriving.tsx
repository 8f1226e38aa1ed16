import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useReducer,
  useRef,
} from "react";

/** What came of a part of the page that may come later than the rest. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** How the server draws late parts: as still on their way, or, for readers without scripts, as what has come of them. */
export interface Drawing {
  readonly outcomeOf: (part: Promise<unknown>) => Outcome | undefined;
  /** Stand before and behind what belongs behind the page (streaming.server); null in the page itself. */
  readonly marks: readonly [before: string, behind: string] | null;
}

/** Set on the server alone. */
export const DrawingContext = createContext<Drawing | null>(null);

const arrived = new WeakMap<Promise<unknown>, Outcome>();

/**
 * In the browser: what has come of a part, as soon as it is there. A page that is still coming in begins without it, as the server drew
 * it.
 */
function useOutcome(part: unknown): Outcome | undefined {
  const [, drawAgain] = useReducer((round: number) => round + 1, 0);
  useEffect(() => {
    if (!(part instanceof Promise)) return;
    // It may have arrived since this was drawn.
    if (arrived.has(part)) return drawAgain();
    let isShown = true;
    const arrive = (outcome: Outcome) => {
      arrived.set(part, outcome);
      if (isShown) startTransition(drawAgain);
    };
    part.then(
      (value) => arrive({ value }),
      // The navigation to another page aborted the load. This page stays as it is until the other one is shown.
      (error) => (error instanceof DOMException && error.name === "AbortError" ? null : arrive({ error })),
    );
    return () => {
      isShown = false;
    };
  }, [part]);
  return part instanceof Promise ? arrived.get(part) : { value: part };
}

/** The same, but that the last outcome stays until another one in its place has come. */
function useLastOutcome(part: unknown): Outcome | undefined {
  const outcome = useOutcome(part);
  const last = useRef(outcome);
  useEffect(() => {
    if (outcome) last.current = outcome;
  });
  return outcome ?? last.current;
}

/** The value of a part that may come later, once it is there; what the server draws of late parts behind the page is not meant. */
export function useArrived<T>(part: T | Promise<T>): T | null {
  const outcome = useOutcome(part);
  return outcome && "value" in outcome ? (outcome.value as T) : null;
}

/** Whether this is drawn behind the page, for readers without scripts, whose page has begun without it. */
export const useIsBehind = (): boolean => Boolean(useContext(DrawingContext)?.marks);

/**
 * A part of the page that may come later than the rest, which never waits for it. Readers without scripts find it behind the page,
 * where styles show it in the place of what stands here until then (decision 034): so it has to be the last of its page.
 * @param part a value that is there, or a promise; one that rejects ends at the route's error boundary
 */
export function ArrivingPart<T>({
  part,
  waiting,
  children,
}: {
  readonly part: T | Promise<T>;
  readonly waiting: ReactNode;
  readonly children: (value: T) => ReactNode;
}) {
  const drawing = useContext(DrawingContext);
  const known = useLastOutcome(part);
  const isLate = part instanceof Promise;
  const outcome = drawing && isLate ? drawing.outcomeOf(part) : known;
  // A connection that broke: the page's boundary offers another try.
  if (outcome && "error" in outcome) throw outcome.error;
  const [before, behind] = (isLate && drawing?.marks) || [];
  return (
    <div>
      {before && <template id={before} />}
      {outcome ? children(outcome.value as T) : <div data-waiting="">{waiting}</div>}
      {behind && <template id={behind} />}
    </div>
  );
}
