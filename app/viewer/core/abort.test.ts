import { expect, it } from "vitest";
import { combineSignals } from "./abort";

it("a combined signal aborts with the first of its two signals, and at once when one has already aborted", () => {
  for (const index of [0, 1]) {
    const controllers = [new AbortController(), new AbortController()] as const;
    const combined = combineSignals(controllers[0].signal, controllers[1].signal);
    expect(combined.aborted).toBe(false);
    controllers[index]?.abort();
    expect(combined.aborted).toBe(true);
    expect(combineSignals(controllers[0].signal, controllers[1].signal).aborted).toBe(true);
  }
});
