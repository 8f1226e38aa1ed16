import { useCallback, useEffect, useRef, useState } from "react";
import type { ConnectionTest } from "~/domain/store/store";
import { isOtherStore, missingForTest } from "~/domain/store/store-connection";

/** The typed address and token of a store. */
export interface TypedStore {
  readonly storeUrl: string;
  readonly token: string;
}
/** State of the connection test in a form (§4). `nothing`: required input is missing; `lost`: the request failed. */
export type ShownTest = ConnectionTest | { readonly state: "verifying" | "nothing" | "lost" };
/** Requests a test; null if the response contains no result. */
export type AskTest = (typed: TypedStore) => Promise<ConnectionTest | null>;

interface TestInput {
  /** Initial values of the form. */
  readonly first: TypedStore;
  readonly saved: { readonly storeUrl: string | null; readonly hasToken: boolean };
  /** Result that is part of the page because the form was submitted without scripts. */
  readonly answered: ConnectionTest | null;
  readonly ask: AskTest | null;
}

const IDLE: ShownTest = { state: "idle" };
const shown = (answer: ConnectionTest): ShownTest =>
  answer.state === "idle" ? { state: "nothing" } : answer;

/** Runs the connection test of a store. The result is discarded when the tested fields change. */
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
