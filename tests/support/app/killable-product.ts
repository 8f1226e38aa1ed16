/** Starts the product in a process group that can be killed with SIGKILL, as a crash of the machine's processes does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fromRoot, ROOT } from "../../../scripts/lib/paths";

export interface KillableProduct {
  readonly origin: string;
  /** Kills the product and its workerd at once. */
  kill(): Promise<void>;
}

/** @param state folder with the product's data, which the next product can open */
export async function startKillable(state: string): Promise<KillableProduct> {
  const script = fromRoot("tests", "support", "app", "run-product.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, state], {
    cwd: ROOT,
    // A process group of its own, so that workerd is killed too.
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const origin = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => line.startsWith("http://") && resolve(line));
    child.on("exit", (code) => reject(new Error(`The product ended with ${code}`)));
  });
  return {
    origin,
    async kill() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await exited;
    },
  };
}
