import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What axe objects to on a page as it is now: a line each, with the elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Putting results of several frames together costs a page of its own; most screens have one frame.
  const alone = (await page.locator("iframe").count()) === 0;
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(alone)
    // What passes is not looked at, and describing it takes longer than finding it out.
    .options({ resultTypes: ["violations"] })
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}
