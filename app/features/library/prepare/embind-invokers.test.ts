import { expect, it } from "vitest";
import { allowEmbind } from "./embind-invokers";

it("after allowEmbind, `Function` creates an invoker with `new`, and without it, as minifiers write it", () => {
  const original = globalThis.Function;
  // With such names, embind (Emscripten) generates the code of a function that calls WebAssembly.
  const input = [["invoker", "fn", "toArg0Wire", "fromRetWire"], "return ret"];
  try {
    allowEmbind();
    for (const create of [
      Reflect.construct(globalThis.Function, input),
      Reflect.apply(globalThis.Function as never, undefined, input),
    ]) {
      const invoke = (fn: (value: number) => number, value: number) => fn(value);
      const double = (value: number) => value * 2;
      const toWire = (_destructors: unknown, value: number) => value;
      const fromWire = (value: number) => value;
      expect(create(invoke, double, toWire, fromWire)(21)).toBe(42);
    }
  } finally {
    globalThis.Function = original;
  }
});
