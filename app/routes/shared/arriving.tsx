import { createContext, type ReactNode, Suspense, useContext } from "react";

/** Where a page that is sent as it arrives ends for now (entry.server). */
export const ARRIVING_MARK = "data-arriving";

/** Which parts of a page are still on their way while it is sent. Everywhere else none is. */
export const ArrivingContext = createContext<(part: Promise<unknown>) => boolean>(() => false);

type Outcome = { readonly value: unknown } | { readonly error: unknown };

const arrived = new WeakMap<Promise<unknown>, Outcome>();

interface ArrivedProps<T> {
  readonly part: Promise<T>;
  readonly children: (value: T) => ReactNode;
}

function Arrived<T>({ part, children }: ArrivedProps<T>) {
  const known = arrived.get(part);
  // A connection that broke: the page's boundary offers another try.
  if (known && "error" in known) throw known.error;
  if (known) return <div>{children(known.value as T)}</div>;
  throw part.then(
    (value) => arrived.set(part, { value }),
    (error) => arrived.set(part, { error }),
  );
}

/**
 * A part of the page that may come later than the rest. What stands in its place until then is in the page in any case, and gives way to
 * what follows it: so the same HTML serves browsers without scripts, which show it as it comes in.
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
  const isUnderWay = useContext(ArrivingContext);
  if (!(part instanceof Promise)) return <>{children(part)}</>;
  return (
    <div className="grid gap-6">
      {/* Not :not(:last-child): browsers take nothing for the last one while its parent is still coming in. */}
      <div className="has-[+_*]:hidden">{waiting}</div>
      {isUnderWay(part) ? (
        <template {...{ [ARRIVING_MARK]: "" }} />
      ) : (
        <Suspense fallback={null}>
          <Arrived part={part}>{children}</Arrived>
        </Suspense>
      )}
    </div>
  );
}
