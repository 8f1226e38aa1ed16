/** Prints a message and ends the process with status 1. For commands. */
export function exitWithError(message: string): never {
  console.error(message);
  // Scripts are checked without Node's types, so `throw` states that the call does not return.
  throw process.exit(1);
}
