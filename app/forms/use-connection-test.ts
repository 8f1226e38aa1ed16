import { useCallback, useEffect, useRef, useState } from "react";
import type { ConnectionTest } from "~/domain/store/store";
import { isOtherStore, missingForTest } from "~/domain/store/store-connection";

/** What is tested: as typed. */
export interface TypedStore {
  readonly storeUrl: string;
  readonly token: string;
}
/** A test as a form shows it (§4). `nothing`: what it needs was missing; `lost`: nobody could be asked to make it. */
export type ShownTest = ConnectionTest | { readonly state: "verifying" | "nothing" | "lost" };
/** Asks for a test; null when the answer was none. */
export type AskTest = (typed: TypedStore) => Promise<ConnectionTest | null>;

interface TestInput {
  /** What the form opened with. */
  readonly first: TypedStore;
  readonly saved: { readonly storeUrl: string | null; readonly hasToken: boolean };
  /** The answer that came with the page, without scripts. */
  readonly answered: ConnectionTest | null;
  readonly ask: AskTest | null;
}

const IDLE: ShownTest = { state: "idle" };
const shown = (answer: ConnectionTest): ShownTest =>
  answer.state === "idle" ? { state: "nothing" } : answer;

/** The test of the store's connection: what it came to, as long as the form says what was tested. */
export function useConnectionTest({ first, saved, answered, ask }: TestInput) {
  const [typed, setTyped] = useState(first);
  const [test, setTest] = useState<ShownTest>(answered ? shown(answered) : IDLE);
  const latest = useRef(typed);
  const number = useRef(0);
  useEffect(() => {
    if (answered) setTest(shown(answered));
  }, [answered]);
  const check = useCallback((next: TypedStore) => {
    const { storeUrl, token } = latest.current;
    if (storeUrl === next.storeUrl && token === next.token) return;
    latest.current = next;
    number.current += 1;
    setTyped(next);
    setTest(IDLE);
  }, []);
  const run = async () => {
    if (!ask) return;
    number.current += 1;
    const own = number.current;
    setTest({ state: "verifying" });
    const came = await ask(latest.current).catch(() => null);
    if (own === number.current) setTest(came ? shown(came) : { state: "lost" });
  };
  return {
    test,
    missing: missingForTest(typed, saved),
    isOther: isOtherStore(typed.storeUrl, saved),
    check,
    run,
  };
}
