/**
 * Writes screenshots of the component gallery's pages, or only of the named ones, to tests/pictures/kit/*.png for review:
 * `npx tsx scripts/run-with-vite.ts tests/kit/screenshots.ts [page …]`.
 */
import { mkdirSync } from "node:fs";
import { launchBrowser } from "../../scripts/lib/browser";
import { fromRoot } from "../../scripts/lib/paths";
import { PAGES } from "./gallery";
import { serveGallery } from "./serve";

const folder = fromRoot("tests", "pictures", "kit");
mkdirSync(folder, { recursive: true });
const requestedPages = process.argv.slice(2);
const gallery = await serveGallery();
const browser = await launchBrowser();
try {
  for (const width of [1280, 390])
    for (const scheme of ["light", "dark"] as const)
      for (const lang of ["ja", "en"]) {
        const context = await browser.newContext({
          viewport: { width, height: 800 },
          colorScheme: scheme,
          deviceScaleFactor: 1,
        });
        const page = await context.newPage();
        page.on(
          "console",
          (message) => message.type() !== "info" && console.log(message.type(), message.text()),
        );
        for (const name of PAGES) {
          if (requestedPages.length > 0 && !requestedPages.includes(name)) continue;
          await page.goto(`${gallery.origin}/${name}?lang=${lang}`);
          await page.waitForSelector("[data-ready]");
          await page.waitForTimeout(250);
          await page.screenshot({
            path: `${folder}/${name}-${lang}-${width}-${scheme}.png`,
            fullPage: name !== "dialog",
          });
        }
        await context.close();
      }
} finally {
  await browser.close();
  await gallery.close();
}
