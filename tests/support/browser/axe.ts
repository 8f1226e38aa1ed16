import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { endAnimations } from "./animations";

/** Only violations are reported, because describing passes takes longer than the checks. Style sheets are not preloaded, because no active rule reads them. */
const OPTIONS = {
  resultTypes: ["violations"],
  preload: { assets: ["media"] },
  rules: { "duplicate-id": { enabled: true } },
} satisfies axe.RunOptions;

/** The minified script, because transferring `axe.source`, which is more than twice as long, can cost more than a run. */
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Violations that axe finds in a page's current state, one line each, with the elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Text during a fade-in has too little contrast.
  await endAnimations(page);
  const hasOneFrame = (await page.locator("iframe").count()) === 0;
  const violations = hasOneFrame
    ? await runInPage(page)
    : (await new AxeBuilder({ page, axeSource: SCRIPT }).options(OPTIONS).analyze()).violations;
  // The lists of open comboboxes are outside of landmarks, but their fields refer to them (aria-controls).
  const relevant = violations.filter(
    ({ id, nodes }) => id !== "region" || !nodes.every(({ html }) => html.includes("headlessui-portal-root")),
  );
  return relevant.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/**
 * Runs axe in the page itself. Merging the results of several frames would need an additional page, but most screens have one
 * frame.
 */
async function runInPage(page: Page): Promise<axe.Result[]> {
  await page.evaluate(SCRIPT);
  return page.evaluate(async (options) => {
    const run = (window as unknown as { axe: typeof axe }).axe.run;
    return (await run(options)).violations;
  }, OPTIONS);
}
