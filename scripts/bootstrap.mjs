// First step of `npm start` and many other npm scripts. It runs under plain Node (>= 20) without dependencies: it installs the packages of
// package-lock.json unless they are installed, then starts the script under the Node 24 that came with the packages.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { arePackagesInstalled } from "./lib/installed-packages.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const [script, ...args] = process.argv.slice(2);
const major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
  console.error(`Hiroba needs Node 20 or newer, but this is ${process.version}.`);
  process.exit(1);
}

const bin = join(root, "node_modules", ".bin");

if (!arePackagesInstalled(root)) {
  console.log("Installing packages (once; it takes a minute or two) …");
  const install = spawnSync("npm", ["ci", "--prefer-offline"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (install.status !== 0) {
    console.error("The packages could not be installed. See npm's own message above.");
    process.exit(install.status ?? 1);
  }
}

// npm installs the one of package.json's optional Node packages that fits this machine. The host's Node is used when no package
// fits. The package for Macs with Apple chips is named node-bin-….
const system = process.platform === "win32" ? "win" : process.platform;
const packagePrefix = `${system}-${process.arch}` === "darwin-arm64" ? "node-bin" : "node";
const folder = join(root, "node_modules", `${packagePrefix}-${system}-${process.arch}`, "bin");
const node = join(folder, system === "win" ? "node.exe" : "node");
// The serving process allocates little. Tuned for size, it takes 70 MB less. scripts/start.ts calls the exposed gc().
const isServing = script === "scripts/start.ts";
const nodeOptions = isServing ? ["--max-semi-space-size=2", "--optimize-for-size", "--expose-gc"] : [];
// sharp resizes images (scripts/lib/local/local-images.ts), and glibc would keep the memory that it frees. The value, in bytes, is glibc's own initial
// threshold: setting it stops glibc from raising it.
const allocatorEnv = isServing ? { MALLOC_TRIM_THRESHOLD_: "131072" } : {};
const child = spawn(
  existsSync(node) ? node : process.execPath,
  [...nodeOptions, "--import", "tsx", join(root, script), ...args],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      // Stores compiled code for the next start.
      NODE_COMPILE_CACHE: join(root, ".cache", "compiled"),
      ...allocatorEnv,
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
