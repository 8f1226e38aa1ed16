/**
 * Compares the first frame of models with references: `npx tsx scripts/run-with-vite.ts tests/viewer/sample-screenshots.ts [FOLDER]
 * [NAMES]`. Without a folder of .glb files it uses generated models. It writes images beside their references into
 * tests/pictures/samples and names the worst. A model that differs by more than 5 % is compared again with a reference that has the
 * viewer's lights and points.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { fromRoot } from "../../scripts/lib/paths";
import type { Judgement } from "./judge.client";
import { samples } from "./objects";
import { serveStage } from "./serve";

const [firstArgument, ...otherArguments] = process.argv.slice(2);
const isFolder = firstArgument !== undefined && existsSync(firstArgument);
const chosenNames = isFolder ? otherArguments : firstArgument ? [firstArgument, ...otherArguments] : [];
const models = isFolder
  ? readdirSync(firstArgument)
      .filter((name) => name.endsWith(".glb"))
      .map(
        (name) => [name.replace(/\.glb$/, ""), async () => readFileSync(`${firstArgument}/${name}`)] as const,
      )
  : Object.entries(samples);
const chosenModels = models.filter(([name]) => chosenNames.length === 0 || chosenNames.includes(name));
const files = new Map<string, readonly [string, Buffer]>();
for (const [name, make] of chosenModels)
  files.set(`/sample/${name}.glb`, ["model/gltf-binary", await make()]);

const folder = fromRoot("tests", "pictures", "samples");
mkdirSync(folder, { recursive: true });
const [server, browser] = await Promise.all([serveStage({ files }), launchBrowser(STAGE_BROWSER_ARGS)]);
let worst: readonly [string, number] = ["none", 0];
try {
  const page = await browser.newPage({ viewport: { width: 480, height: 300 }, deviceScaleFactor: 1 });
  page.on("pageerror", (error) => console.log(error.message));
  page.on("console", (message) => message.type() === "error" && console.log(message.text()));
  await page.goto(`${server.origin}/adapters`);
  await page.waitForFunction(() => "stage" in window);
  for (const [name] of chosenModels) {
    const url = `/sample/${name}.glb`;
    const startedAt = performance.now();
    const state = await page.evaluate(
      (from) => window.stage.open({ kind: "model", url: from, start: null, eyeHeight: 1.6 }, [], true),
      url,
    );
    const openMs = Math.round(performance.now() - startedAt);
    if (state !== "ready") {
      console.log(`${name.padEnd(34)} ${state}`);
      await page.evaluate(() => window.stage.close());
      continue;
    }
    const judgement = (await page
      .evaluate((from) => window.stage.judge(from), url)
      .catch((error) => void console.log(name, error.message))) as Judgement | undefined;
    const adaptedJudgement =
      (judgement?.difference ?? 0) > 0.05 &&
      (await page.evaluate((from) => window.stage.judge(from, true), url));
    await page.evaluate(() => window.stage.close());
    if (!judgement) continue;
    const { mode, modes, coverage, span, difference, image: picture, reference } = judgement;
    const percent = (share: number | null) => (share === null ? "–" : `${(share * 100).toFixed(1)} %`);
    if (adaptedJudgement)
      console.log(
        `${name.padEnd(34)} with the viewer's lights and points ${percent(adaptedJudgement.difference)}`,
      );
    console.log(
      `${name.padEnd(34)} ${mode.padEnd(6)} covers ${percent(coverage).padStart(7)}  span ${span.toFixed(2)}  differs ${percent(difference).padStart(6)}  ${openMs} ms  ${modes.join(" ")}`,
    );
    if ((difference ?? 0) > worst[1]) worst = [name, difference ?? 0];
    const image = Buffer.from(picture, "base64");
    const comparison = reference
      ? await sharp({ create: { width: 968, height: 300, channels: 3, background: "#fff" } })
          .composite([
            { input: image, left: 0, top: 0 },
            { input: Buffer.from(reference, "base64"), left: 488, top: 0 },
          ])
          .png()
          .toBuffer()
      : image;
    writeFileSync(`${folder}/${name}.png`, comparison);
  }
  console.log(`The worst is ${worst[0]}: ${(worst[1] * 100).toFixed(1)} %.`);
} finally {
  await browser.close();
  await server.close();
}
