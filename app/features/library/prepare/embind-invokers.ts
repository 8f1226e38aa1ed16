/**
 * Creates the functions by which embind connects JavaScript to WebAssembly. Embind (Emscripten 4) generates them as code and evaluates it, which the
 * CSP of worker scripts forbids. These closures do the same as the generated code: see libembind_gen.js and libemval.js.
 */

type Callable = (...input: unknown[]) => unknown;
/** Values that the generated code would use by name. */
type Captured = Readonly<Record<string, unknown>>;

/** Bytes between two arguments in WebAssembly's memory. */
const ARGUMENT_BYTES = 8;

/** Returns the captured functions whose names match a pattern, in the order of the numbers in their names. */
const listNumbered = (captured: Captured, pattern: RegExp): Callable[] =>
  Object.keys(captured)
    .filter((name) => pattern.test(name))
    .sort((a, b) => Number(a.replace(/\D/g, "")) - Number(b.replace(/\D/g, "")))
    .map((name) => captured[name] as Callable);

/** Creates a function that calls a WebAssembly function. */
function createInvoker(captured: Captured, code: string): Callable {
  const { invoker: invoke, fn, runDestructors, fromRetWire, toClassParamWire } = captured;
  const toWire = listNumbered(captured, /^toArg\d+Wire$/);
  const isMethod = code.includes("thisWired = ");
  const hasResult = code.includes("return ret");
  const collectsDestructors = code.includes("var destructors = []");
  return function (this: unknown, ...input) {
    const destructors = collectsDestructors ? [] : null;
    const wiredThis = isMethod ? [(toClassParamWire as Callable)(destructors, this)] : [];
    const wiredInput = toWire.map((convert, index) => convert(destructors, input[index]));
    const result = (invoke as Callable)(fn, ...wiredThis, ...wiredInput);
    if (destructors) (runDestructors as Callable)(destructors);
    else {
      if (wiredThis.length > 0) (captured.thisWired_dtor as Callable | undefined)?.(wiredThis[0]);
      for (const [index, value] of wiredInput.entries())
        (captured[`arg${index}Wired_dtor`] as Callable | undefined)?.(value);
    }
    return hasResult ? (fromRetWire as Callable)(result) : undefined;
  };
}

/** Creates a function by which WebAssembly calls a JavaScript method, function or constructor, or converts a value. */
function createMethodCaller(captured: Captured, code: string): Callable {
  const { toValue, getStringOrSymbol, toReturnWire, emval_returnValue } = captured as Record<
    string,
    Callable
  >;
  const fromPointers = listNumbered(captured, /^argFromPtr\d+$/);
  const call = (handle: unknown, name: unknown, input: unknown[]): unknown => {
    if (!toValue) throw new TypeError("Embind generates code of another form than expected.");
    if (getStringOrSymbol) {
      const target = toValue(handle) as Record<PropertyKey, Callable>;
      return target[getStringOrSymbol(name) as PropertyKey]?.(...input);
    }
    if (code.includes("new (toValue(handle))"))
      return Reflect.construct(toValue(handle) as never, input) as unknown;
    return code.includes("toValue(handle)(") ? (toValue(handle) as Callable)(...input) : input.at(-1);
  };
  return (handle, name, destructors, args) => {
    const input = fromPointers.map((read, index) => read((args as number) + index * ARGUMENT_BYTES));
    const result = call(handle, name, input);
    return toReturnWire ? emval_returnValue?.(toReturnWire, destructors, result) : undefined;
  };
}

/** Replaces `new Function(names, code)` for code that embind generates. */
export function createEmbindFunction(names: readonly string[], code: string): Callable {
  return (...values) => {
    const captured = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    if ("invoker" in captured) return createInvoker(captured, code);
    if ("toValue" in captured) return createMethodCaller(captured, code);
    throw new TypeError("Embind generates code of another form than expected.");
  };
}

/**
 * Allows embind to start in this worker by replacing the Function constructor, which the CSP forbids anyway. Minifiers write `new Function(…)` as
 * `Function(…)`, so both forms are handled.
 */
export function allowEmbind(): void {
  globalThis.Function = new Proxy(Function, {
    construct: (_, [names, code]: [readonly string[], string]) => createEmbindFunction(names, code) as object,
    apply: (_, _this, [names, code]: [readonly string[], string]) => createEmbindFunction(names, code),
  });
}
