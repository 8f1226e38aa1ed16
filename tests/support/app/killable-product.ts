/** Starts the product in a process group that a test kills with SIGKILL to simulate a crash. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fromRoot, ROOT } from "../../../scripts/lib/paths";
import type { IsolateOptions } from "./isolates";

export interface KillableProduct {
  readonly origin: string;
  /** One origin for each isolate. */
  readonly origins: readonly string[];
  /** Kills the product and its workerd at once. */
  kill(): Promise<void>;
}

/**
 * @param state folder with the product's data, which the next product can open
 * @param isolates starts several isolates of the product (startIsolates) instead of one
 */
export async function startKillable(state: string, isolates?: IsolateOptions): Promise<KillableProduct> {
  const script = fromRoot("tests", "support", "app", isolates ? "run-isolates.ts" : "run-product.ts");
  const options = isolates ? [JSON.stringify(isolates)] : [];
  const child = spawn(process.execPath, ["--import", "tsx", script, state, ...options], {
    cwd: ROOT,
    // A process group of its own, so that workerd is killed too.
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise<string>((resolve, reject) => {
    lines.on("line", (text) => text.startsWith("http://") && resolve(text));
    child.on("exit", (code) => reject(new Error(`The product ended with ${code}`)));
  });
  const origins = line.split(" ");
  return {
    origin: origins[0] ?? "",
    origins,
    async kill() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await exited;
    },
  };
}
