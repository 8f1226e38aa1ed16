import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { visit } from "../../support/browser/visit";

/** The part of a trace event that is read here. */
interface StyleEvent {
  readonly name: string;
  readonly args?: { readonly elementCount?: number };
}

/** Number of elements for which the browser computes the style after an element was added to the page's main part. */
async function countRestyledElements(page: Page): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error("The page has no browser");
  await browser.startTracing(page, {
    categories: ["disabled-by-default-devtools.timeline", "devtools.timeline"],
  });
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    document.querySelector("#panel, #main")?.insertAdjacentHTML("beforeend", "<svg></svg>");
    await nextFrame();
    await nextFrame();
  });
  const trace = JSON.parse((await browser.stopTracing()).toString("utf8")) as { traceEvents: StyleEvent[] };
  return trace.traceEvents
    .filter(({ name }) => name === "UpdateLayoutTree")
    .reduce((sum, { args }) => sum + (args?.elementCount ?? 0), 0);
}

test("an added element does not restyle the whole page", { timeout: 120_000 }, async () => {
  const owner = await signIn("owner");
  await visit({ as: owner }, async (self) => {
    for (const path of [
      `/event/${demoIds.mainEvent}`,
      `/event/${demoIds.mainEvent}?panel=tags`,
      `/space/${demoIds.showroom}`,
      "/library",
    ]) {
      await self.open(path);
      const elements = await self.page.locator("*").count();
      expect(elements).toBeGreaterThan(200);
      // The page may change by itself while one measurement runs; a rule that restyles everything shows in each of them.
      const counts: number[] = [];
      for (let i = 0; i < 3; i++) counts.push(await countRestyledElements(self.page));
      expect.soft(Math.min(...counts), path).toBeLessThan(elements / 4);
    }
  });
});
