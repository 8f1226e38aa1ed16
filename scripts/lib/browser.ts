import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Where Chrome, Chromium and Edge are usually installed. */
const USUAL_PATHS = [
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

const ARGS = [
  // Software WebGL 2, so that screenshots and tests are the same on machines with and without a graphics card.
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // Tests and measurements must not send requests to other machines.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
  "--autoplay-policy=no-user-gesture-required",
];

/**
 * Path of the browser to use: CHROME_PATH, else an installed Chrome, Chromium or Edge, else the one that npm installed, which runs
 * on Linux only. Windows always has Edge.
 * @throws Error when there is none
 */
export async function browserPath(): Promise<string> {
  const configuredPath = process.env.CHROME_PATH;
  if (configuredPath) return configuredPath;
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder: string) =>
      ["google-chrome", "chromium", "chromium-browser"].map((name) => join(folder, name)),
    );
  const installed = [...USUAL_PATHS, ...onPath].find((path) => existsSync(path));
  if (installed) return installed;
  if (process.platform !== "linux")
    throw new Error("This command needs Chrome, Chromium or Edge. Install one, or set CHROME_PATH to one.");
  const { default: bundledChromium } = await import("@sparticuz/chromium");
  return bundledChromium.executablePath();
}

/** Starts the browser. `extraArgs` are additional command-line arguments. */
export async function launchBrowser(extraArgs: readonly string[] = []): Promise<Browser> {
  const root = process.platform === "linux" && process.getuid?.() === 0;
  return chromium.launch({
    executablePath: await browserPath(),
    headless: true,
    args: [...ARGS, ...extraArgs, ...(root ? ["--no-sandbox"] : [])],
  });
}

/**
 * Arguments of a browser for pages without 3D. Without graphics, pages render in three quarters of the time. Scripts skip the
 * optimising compilers, which do not pay off because no page stays open for long.
 */
export const PAGE_BROWSER_ARGS = [
  "--disable-gpu",
  "--js-flags=--no-opt --no-maglev --single-threaded",
] as const;

/**
 * Arguments of a browser for 3D spaces: WebGL renders in software, and the surrounding page is composited without the GPU, which
 * halves the time.
 */
export const STAGE_BROWSER_ARGS = ["--disable-gpu-compositing"] as const;
