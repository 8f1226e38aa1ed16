import { expect, it, vi } from "vitest";
import { lazyModule, ModuleError } from "./load-module";

it("loads a module when it is first needed, and once", async () => {
  const load = vi.fn(async () => ({ answer: 42 }));
  const loadPart = lazyModule("part", load);
  expect(load).not.toHaveBeenCalled();
  expect((await loadPart()).answer).toBe(42);
  expect(await loadPart()).toBe(await loadPart());
  expect(load).toHaveBeenCalledTimes(1);
});

it("names the module that cannot be loaded, and tries again with the next call", async () => {
  let isAvailable = false;
  const loadPart = lazyModule("part", async () => {
    if (!isAvailable) throw new Error('No such module "part.js".');
    return { answer: 42 };
  });
  const failure = await loadPart().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ModuleError);
  expect((failure as Error).message).toBe(
    'The worker\'s module part could not be loaded: No such module "part.js".',
  );
  isAvailable = true;
  expect((await loadPart()).answer).toBe(42);
});
