/** A module of the worker could not be loaded: it was not deployed, or its code failed. Other modules are not affected. */
export class ModuleError extends Error {
  /** @param name the module, for the log */
  constructor(name: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The worker's module ${name} could not be loaded: ${reason}`, { cause });
    this.name = "ModuleError";
  }
}

/**
 * Returns a function that loads a module at its first call. It is for code that few requests need, because a worker's start-up time
 * grows with the code that runs then. Later calls return the loaded module; a call after a failed load tries again.
 * @param name the module, for the log
 * @throws ModuleError, from the function
 */
export function lazyModule<Module>(name: string, load: () => Promise<Module>): () => Promise<Module> {
  // Keeps the module rather than its promise: workerd does not let a request await another request's promise.
  let loaded: Module | undefined;
  return async () => {
    try {
      loaded ??= await load();
      return loaded;
    } catch (error) {
      throw new ModuleError(name, error);
    }
  };
}
