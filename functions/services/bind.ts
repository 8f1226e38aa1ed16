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
