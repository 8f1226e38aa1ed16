import { expect, test } from "vitest";
import { signIn } from "../../support/api/caller";
import { visit } from "../../support/browser/visit";

test("the API reference leads to a call through its sections and through a search, on a phone without scripts", async () => {
  await visit({ js: false, width: 390 }, async ({ open, t }) => {
    const page = await open("/api/docs");
    expect(await page.locator("h1").textContent()).toBe("APIリファレンス");
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4000);
    await page.getByRole("link", { name: "フォルダー", exact: false }).first().click();
    await page.getByRole("link", { name: "フォルダーを作成する", exact: false }).click();
    await page.getByText("curl -X POST").waitFor();
    expect(await page.locator("main").textContent()).toContain("POST /api/v1/folders");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await page.locator("#try").isVisible()).toBe(false);
    await page.getByRole("searchbox").fill("スペース 作成");
    await page.getByRole("button", { name: t("api:reference.search_submit") }).click();
    await page.getByRole("link", { name: "スペースと最初のイベントを作成する", exact: false }).click();
    await page.waitForURL("**call=createSpace**");
  });
});

test("a call of the reference can be tried with a token, without requests to other machines", async () => {
  const owner = await signIn("owner");
  await visit({ lang: "en", as: owner }, async ({ page, origin, axe }) => {
    for (const query of ["", "?group=folders", "?call=createFolder", "?q=folder"]) {
      await page.goto(`${origin}/api/docs${query}`);
      await axe(`reference ${query}`);
    }
    await page.goto(`${origin}/api/docs?call=listSpaces`);
    const field = page.getByLabel("Access token or ticket");
    const button = page.getByRole("button", { name: "Open", exact: true });
    await button.click();
    const sendCall = async () => {
      const response = page.waitForResponse((response) => response.url().includes("/api/v1/spaces"));
      await page.locator("#viewer .execute").click();
      return response;
    };
    // The browser's session applies without a token, and not with one.
    expect((await sendCall()).status()).toBe(200);
    await page.locator("#viewer .live-responses-table").waitFor();
    await field.fill(owner.ticket ?? "");
    const response = await sendCall();
    expect(response.status()).toBe(200);
    const headers = await response.request().allHeaders();
    expect([headers.authorization, headers.cookie]).toEqual([`Bearer ${owner.ticket}`, undefined]);
    // The token is kept in no storage. Pages that were open before may have stored something else.
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toContain(owner.ticket);
  });
});
