import { expect, it } from "vitest";
import { eitherSignal } from "./abort";

it("a signal of two aborts with the first, at once if that was before", () => {
  for (const first of [0, 1]) {
    const controllers = [new AbortController(), new AbortController()] as const;
    const both = eitherSignal(controllers[0].signal, controllers[1].signal);
    expect(both.aborted).toBe(false);
    controllers[first]?.abort();
    expect(both.aborted).toBe(true);
    expect(eitherSignal(controllers[0].signal, controllers[1].signal).aborted).toBe(true);
  }
});
