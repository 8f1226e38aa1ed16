/** Prints a message and ends the process with status 1. For commands. */
export function exitWithError(message: string): never {
  console.error(message);
  // @cloudflare/workers-types declares `process` as `any`, so `throw` states that the call does not return.
  throw process.exit(1);
}
