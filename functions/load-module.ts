/** A module of the worker could not be loaded: it was not deployed, or its code failed. Other modules go on working. */
export class ModuleError extends Error {
  /** @param name the module, for the log */
  constructor(name: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The worker's module ${name} could not be loaded: ${reason}`, { cause });
    this.name = "ModuleError";
  }
}

/**
 * Makes a function that loads a module when it is first needed, for code that few requests need: the time in which a worker starts
 * grows with the code that it loads at once. Later calls get the loaded module; a failed load is tried again by the next call.
 * @param name the module, for the log
 * @throws ModuleError, from the function
 */
export function lazyModule<Module>(name: string, load: () => Promise<Module>): () => Promise<Module> {
  // The module and not the promise: workerd does not allow a request to wait for another request's promise.
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
