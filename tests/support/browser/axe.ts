import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { endAnimations } from "./animations";

/** What passes is not looked at, and describing it takes longer than finding it out; no rule that runs reads style sheets. */
const OPTIONS = { resultTypes: ["violations"], preload: { assets: ["media"] } } satisfies axe.RunOptions;

/** Bringing the script to a page costs more than some of its runs do: what `axe.source` holds is more than twice as long. */
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe objects to on a page as it is now: a line each, with the elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Text that is fading in has too little contrast.
  await endAnimations(page);
  const hasOneFrame = (await page.locator("iframe").count()) === 0;
  const violations = hasOneFrame
    ? await runInPage(page)
    : (await new AxeBuilder({ page, axeSource: SCRIPT }).options(OPTIONS).analyze()).violations;
  // The lists of open comboboxes lie outside of landmarks; their fields own them (aria-controls).
  const relevant = violations.filter(
    ({ id, nodes }) => id !== "region" || !nodes.every(({ html }) => html.includes("headlessui-portal-root")),
  );
  return relevant.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** Putting results of several frames together costs a page of its own and more; most screens have one frame. */
async function runInPage(page: Page): Promise<axe.Result[]> {
  await page.evaluate(SCRIPT);
  return page.evaluate(async (options) => {
    const run = (window as unknown as { axe: typeof axe }).axe.run;
    return (await run(options)).violations;
  }, OPTIONS);
}
