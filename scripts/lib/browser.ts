import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = [
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** Software WebGL 2, so that pictures and tests are alike on machines with and without a graphics card. */
const ARGS = [
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // No test and no measurement leaves the machine.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
  "--autoplay-policy=no-user-gesture-required",
];

/**
 * The browser to use: CHROME_PATH, an installed Chrome, Chromium or Edge, or the one that came through npm, which runs on Linux.
 * Windows always has Edge.
 * @throws Error when there is none
 */
export async function browserPath(): Promise<string> {
  const named = process.env.CHROME_PATH;
  if (named) return named;
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder: string) =>
      ["google-chrome", "chromium", "chromium-browser"].map((name) => join(folder, name)),
    );
  const installed = [...INSTALLED, ...onPath].find((path) => existsSync(path));
  if (installed) return installed;
  if (process.platform !== "linux")
    throw new Error("The tests need Chrome, Chromium or Edge. Install one, or name one by CHROME_PATH.");
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

/** Starts the browser; `more` are arguments for a test of its own. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const root = process.platform === "linux" && process.getuid?.() === 0;
  return chromium.launch({
    executablePath: await browserPath(),
    headless: true,
    args: [...ARGS, ...more, ...(root ? ["--no-sandbox"] : [])],
  });
}

/**
 * A browser for pages without 3D: no graphics at all, which draws pages in three quarters of the time, and scripts that are
 * not compiled a second time to run fast for long, as no page is there for long.
 */
export const FLAT = ["--disable-gpu", "--js-flags=--no-opt --no-maglev --single-threaded"] as const;

/** A browser for spaces in 3D: WebGL by software, and the page around it put together without it, in half of the time. */
export const STAGE = ["--disable-gpu-compositing"] as const;
