import { createServer } from "node:net";
import { exitWithError } from "../exit-with-error";

/** Reads the port from PORT; the default is 8787. Prints the reason and ends the process when the port cannot be used. */
export async function choosePort(): Promise<number> {
  const configuredPort = process.env.PORT?.trim() || "8787";
  const port = Number(configuredPort);
  if (!/^\d{1,5}$/.test(configuredPort) || port < 1 || port > 65_535) {
    exitWithError(`PORT must be a number from 1 to 65535, not "${configuredPort}".`);
  }
  // Checked before workerd starts, because workerd would print its own stack trace.
  const isFree = await new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
  if (isFree) return port;
  return exitWithError(
    `Port ${port} is in use. Choose another: PORT=${port < 65_535 ? port + 1 : 8787} npm start`,
  );
}
