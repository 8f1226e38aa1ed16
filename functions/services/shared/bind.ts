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
 * Binds the use cases of a module that is loaded when one of them is called.
 * @param names exports of the module that are use cases
 * @param load loads the module, or returns the loaded one
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

/**
 * Returns a function that creates an object whose properties are created when they are first read. The objects share their getters,
 * which saves time.
 * @param makers functions that create the properties from the dependencies
 */
export function createLazily<T extends Readonly<Record<string, (deps: never) => unknown>>>(makers: T) {
  type Deps = Parameters<T[keyof T]>[0];
  const dependencies = Symbol("dependencies");
  const prototype = {};
  for (const [name, make] of Object.entries(makers))
    Object.defineProperty(prototype, name, {
      get(this: { readonly [dependencies]: never }) {
        const value = make(this[dependencies]);
        Object.defineProperty(this, name, { value, configurable: true, enumerable: true });
        return value;
      },
    });
  return (deps: Deps) =>
    Object.create(prototype, { [dependencies]: { value: deps } }) as {
      readonly [Name in keyof T]: ReturnType<T[Name]>;
    };
}
