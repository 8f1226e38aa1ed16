/** Use cases without their first parameter. */
type Bound<T> = {
  [Name in keyof T]: T[Name] extends (deps: never, ...input: infer Input) => infer Result
    ? (...input: Input) => Result
    : never;
};

/** Binds use cases to their dependencies: `fn(deps, input)` becomes `fn(input)`. */
export const bindUseCases = <D, T extends Readonly<Record<string, (deps: D, ...input: never[]) => unknown>>>(
  deps: D,
  useCases: T,
): Bound<T> =>
  Object.fromEntries(
    Object.entries(useCases).map(([name, useCase]) => [name, (...input: never[]) => useCase(deps, ...input)]),
  ) as Bound<T>;

/**
 * Binds the use cases of a module that is loaded when one of them is first called.
 * @param names exports of the module that are use cases
 * @param load see lazyModule
 */
export const bindLazily = <
  D,
  Module extends Readonly<Record<Name, (deps: D, ...input: never[]) => Promise<unknown>>>,
  Name extends keyof Module & string,
>(
  deps: D,
  names: readonly Name[],
  load: () => Promise<Module>,
): Bound<Pick<Module, Name>> =>
  Object.fromEntries(
    names.map((name) => [name, async (...input: never[]) => (await load())[name](deps, ...input)]),
  ) as Bound<Pick<Module, Name>>;

/** Creates an object whose properties are created when they are first read. @param makers creates each property */
export function createLazily<T extends Readonly<Record<string, () => unknown>>>(makers: T) {
  const target = {};
  for (const [name, make] of Object.entries(makers))
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = make();
        Object.defineProperty(target, name, { value, enumerable: true });
        return value;
      },
    });
  return target as { readonly [Name in keyof T]: ReturnType<T[Name]> };
}
