import { useCallback, useEffect, useRef, useState } from "react";
import type { ConnectionTest } from "~/domain/store/store";
import { isOtherStore, missingForTest } from "~/domain/store/store-connection";

/** The typed URL and token of a store. */
export interface TypedStore {
  readonly storeUrl: string;
  readonly token: string;
}
/** State of the connection test in a form (specification §4). `incomplete`: required input is missing; `lost`: no result arrived. */
export type ConnectionTestState = ConnectionTest | { readonly state: "verifying" | "incomplete" | "lost" };
/** Requests a test; null if the response contains no result. */
export type RequestConnectionTest = (typed: TypedStore) => Promise<ConnectionTest | null>;

interface TestInput {
  /** Initial values of the form. */
  readonly initialStore: TypedStore;
  readonly saved: { readonly storeUrl: string | null; readonly hasToken: boolean };
  /** Result that is part of the page because the form was submitted without scripts. */
  readonly testResult: ConnectionTest | null;
  readonly requestTest: RequestConnectionTest | null;
}

const IDLE: ConnectionTestState = { state: "idle" };
const toTestState = (test: ConnectionTest): ConnectionTestState =>
  test.state === "idle" ? { state: "incomplete" } : test;

/** Runs the connection test of a store. The result is discarded when the tested fields change. */
export function useConnectionTest({ initialStore, saved, testResult, requestTest }: TestInput) {
  const [typed, setTyped] = useState(initialStore);
  const [test, setTest] = useState<ConnectionTestState>(testResult ? toTestState(testResult) : IDLE);
  const latest = useRef(typed);
  const latestRun = useRef(0);
  useEffect(() => {
    if (testResult) setTest(toTestState(testResult));
  }, [testResult]);
  const updateTyped = useCallback((next: TypedStore) => {
    const { storeUrl, token } = latest.current;
    if (storeUrl === next.storeUrl && token === next.token) return;
    latest.current = next;
    latestRun.current += 1;
    setTyped(next);
    setTest(IDLE);
  }, []);
  const run = async () => {
    if (!requestTest) return;
    latestRun.current += 1;
    const runNumber = latestRun.current;
    setTest({ state: "verifying" });
    const result = await requestTest(latest.current).catch(() => null);
    if (runNumber === latestRun.current) setTest(result ? toTestState(result) : { state: "lost" });
  };
  return {
    test,
    missing: missingForTest(typed, saved),
    isOtherStore: isOtherStore(typed.storeUrl, saved),
    updateTyped,
    run,
  };
}
