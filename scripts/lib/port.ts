import { createServer } from "node:net";

/** The port that PORT names, 8787 without it. Says what is wrong and ends the process when it cannot be used. */
export async function choosePort(): Promise<number> {
  const asked = process.env.PORT?.trim() || "8787";
  const port = Number(asked);
  if (!/^\d{1,5}$/.test(asked) || port < 1 || port > 65_535) {
    console.error(`PORT must be a number from 1 to 65535, not "${asked}".`);
    throw process.exit(1);
  }
  // Asked before workerd is: it would answer with its own stack.
  const free = await new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
  if (free) return port;
  console.error(`Port ${port} is in use. Choose another: PORT=${port < 65_535 ? port + 1 : 8787} npm start`);
  throw process.exit(1);
}
