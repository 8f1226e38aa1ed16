import { expect, test } from "vitest";
import { signIn } from "../../support/api/caller";
import { visit } from "../../support/browser/visit";

test("the reference of the API reads without a script, on a phone too", async () => {
  await visit({ js: false, width: 390 }, async ({ open }) => {
    const page = await open("/api/docs");
    expect(await page.locator("h1").textContent()).toBe("APIリファレンス");
    expect(await page.locator("#createFolder").textContent()).toContain("POST /api/v1/folders");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await page.locator("#try").isVisible()).toBe(false);
  });
});

test("calls of the reference can be tried with the browser's session, without requests to other machines", async () => {
  const owner = await signIn("owner");
  await visit({ lang: "en", as: owner }, async ({ page, origin, axe }) => {
    await page.goto(`${origin}/api/docs`);
    // The whole page would take minutes: every part is made like this one.
    await page.evaluate(() => {
      for (const part of document.querySelectorAll("main section:not(#tag-folders)")) part.remove();
    });
    await axe("reference");

    await page.goto(`${origin}/api/docs`);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator("#operations-tag-spaces button.expand-operation").click();
    await page.locator("#operations-spaces-listSpaces .opblock-summary-control").click();
    const answered = page.waitForResponse((response) => response.url().includes("/api/v1/spaces"));
    await page.locator("#operations-spaces-listSpaces .execute").click();
    expect((await answered).status()).toBe(200);
    await page.locator("#operations-spaces-listSpaces .live-responses-table").waitFor();
  });
});
