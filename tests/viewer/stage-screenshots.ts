/**
 * Writes screenshots of the stage to tests/pictures/viewer/*.png for review: `npx tsx scripts/run-with-vite.ts
 * tests/viewer/stage-screenshots.ts [PART OF A NAME]`.
 */
import { mkdirSync } from "node:fs";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { fromRoot } from "../../scripts/lib/paths";
import { serveStage } from "./serve";

const folder = fromRoot("tests", "pictures", "viewer");
mkdirSync(folder, { recursive: true });
const [server, browser] = await Promise.all([serveStage(), launchBrowser(STAGE_BROWSER_ARGS)]);
const namePart = process.argv[2];

async function visit(
  name: string,
  path: string,
  width: number,
  height: number,
  run?: (page: Awaited<ReturnType<typeof browser.newPage>>) => Promise<unknown>,
) {
  if (namePart && !name.includes(namePart)) return;
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage();
  page.on(
    "console",
    (message) => message.type() !== "info" && console.log(name, message.type(), message.text()),
  );
  page.on("pageerror", (error) => console.log(name, error.stack));
  await page.route("https://my.matterport.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "showcase" }),
  );
  await page.goto(`${server.origin}${path}`);
  const stateSelector = name.startsWith("loading")
    ? "progress"
    : '[data-stage="ready"], [data-stage="failed"]';
  await page.waitForSelector(stateSelector, { timeout: 60_000 });
  await run?.(page);
  await page.waitForTimeout(700);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await context.close();
}

try {
  for (const [size, width, height] of [
    ["wide", 1280, 800],
    ["phone", 390, 844],
  ] as const) {
    const isPhone = size === "phone";
    await visit(`model-start-${size}`, `/visit${isPhone ? "?lang=ja" : ""}`, width, height);
    await visit(`model-three-${size}`, "/visit?view=w_-2_1.6_2_90_0", width, height);
    await visit(`model-orbit-${size}`, "/visit", width, height, async (page) => {
      await page.getByRole("button", { name: "Overview" }).click();
      await page.waitForTimeout(3500);
    });
    await visit(`model-plan-${size}`, "/visit", width, height, async (page) => {
      await page.getByRole("button", { name: "From above" }).click();
      await page.waitForTimeout(3500);
    });
    await visit(`model-open-${size}`, "/visit?tag=north", width, height);
    await visit(`model-help-${size}`, "/visit?lang=ja", width, height, async (page) => {
      if (isPhone) await page.getByRole("button", { name: "操作をさらに表示" }).click();
      await page.getByRole("button", { name: "操作方法" }).click();
    });
    await visit(`panorama-start-${size}`, "/visit?kind=panorama", width, height);
    await visit(`panorama-door-${size}`, "/visit?kind=panorama&view=w_0_1.6_3_-90_0_door", width, height);
    await visit(`cluster-${size}`, "/visit?view=w_-2_1.6_2_90_0", width, height, (page) =>
      page.locator("[data-cluster]").click(),
    );
    await visit(`loading-${size}`, "/visit?file=/slow.glb&lang=ja", width, height);
    await visit(`link-${size}`, "/visit", width, height, (page) =>
      page.getByRole("button", { name: "Copy link to this view" }).click(),
    );
    await visit(`failed-${size}`, "/visit?file=/broken.glb", width, height);
    await visit(`showcase-${size}`, "/visit?kind=showcase", width, height);
  }
} finally {
  await browser.close();
  await server.close();
}
