/**
 * Writes app/viewer/model/environments/*.bin: `tsx tools/environments/make.ts`. three's own PMREMGenerator filters the light of each
 * environment for every roughness here, so that no visitor's device has to do it (docs/decisions/050).
 */
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { encodeEnvironment } from "~/viewer/model/environment-file";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { fromRoot } from "../../scripts/lib/paths";

/**
 * Mean radiance of each environment, so that a model is similarly bright in each; null keeps three's own room unchanged.
 */
const MEAN_RADIANCE = { studio: null, daylight: 1, evening: 0.75 } as const;

const bundle = await build({
  entryPoints: [fromRoot("tools/environments/render.client.ts")],
  bundle: true,
  write: false,
  format: "iife",
});
const browser = await launchBrowser(STAGE_BROWSER_ARGS);
try {
  for (const [name, wantedMean] of Object.entries(MEAN_RADIANCE)) {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(error));
    await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? "" });
    const rawLevels = await page.evaluate(
      (environmentName) =>
        (window as unknown as { render(name: string): Promise<number[][][]> }).render(environmentName),
      name,
    );
    await page.close();
    const meanOf = (faces: readonly number[][]) => {
      const values = faces.flat();
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    const factor = wantedMean === null ? 1 : wantedMean / meanOf(rawLevels.at(-1) ?? []);
    const levels = rawLevels.map((faces) => faces.map((face) => face.map((value) => value * factor)));
    const file = gzipSync(encodeEnvironment(levels), { level: 9 });
    writeFileSync(fromRoot(`app/viewer/model/environments/${name}.bin`), file);
    const mean = meanOf(levels.at(-1) ?? []);
    const maximum = Math.max(...(levels[0]?.map((face) => face.reduce((a, b) => Math.max(a, b), 0)) ?? []));
    console.info(
      `${name}: ${file.length} bytes, mean radiance ${mean.toFixed(2)}, maximum ${maximum.toFixed(1)}`,
    );
  }
} finally {
  await browser.close();
}
