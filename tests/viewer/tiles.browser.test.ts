import sharp from "sharp";
import { expect, test } from "vitest";
import { onPage, open, sources, waitUntilStill, withBrowser } from "./adapter-page";

withBrowser();

const [node] = sources.panorama.nodes;
const tiles = { base: "/tiles?link=a", width: 8192, tileSize: 1024, levels: 2, extension: "webp" } as const;

test("a large panorama is sharp on zoom: tiles load for the visible part, and join without a seam", () =>
  onPage(
    async (page) => {
      if (!node) throw new Error("The rooms have no panorama.");
      const tileRequests: string[] = [];
      page.on("request", (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname.startsWith("/tiles/")) tileRequests.push(`${pathname}${search}`);
      });
      const source = { ...sources.panorama, nodes: [{ ...node, links: [], tiles }] };
      expect(await open(page, source, [], true)).toBe("ready");
      await waitUntilStill(page);
      // The image is as sharp as the screen.
      expect(tileRequests).toEqual([]);
      await page.evaluate(() => window.stage.viewer?.zoomBy(3.5));
      const readOtherColourShare = async () => {
        const { data } = await sharp(await page.locator("canvas").screenshot())
          .removeAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true });
        let otherPixels = 0;
        for (let offset = 0; offset < data.length; offset += 3)
          if (Math.abs((data[offset] ?? 0) - 0x20) + Math.abs((data[offset + 2] ?? 0) - 0xc0) > 24)
            otherPixels++;
        return (otherPixels * 3) / data.length;
      };
      // All tiles have one colour, so another colour would be a gap between two of them.
      await expect.poll(readOtherColourShare).toBe(0);
      expect(tileRequests.length).toBeLessThan(16);
      expect(tileRequests.every((url) => /^\/tiles\/1\/[0-7]-[0-3]\.webp\?link=a$/.test(url))).toBe(true);
      // At the back (yaw π), the first column follows the last one.
      for (const yaw of [Math.PI, 0]) {
        await page.evaluate(
          (turn) =>
            window.stage.viewer?.goTo(
              { position: [-3, 1.6, 4.5], yaw: turn, pitch: 0, mode: "walk", nodeId: "green" },
              { transition: "instant" },
            ),
          yaw,
        );
        await expect.poll(readOtherColourShare).toBe(0);
      }
    },
    { deviceScaleFactor: 1 },
  ));

test("a panorama whose tiles do not load keeps its image", () =>
  onPage(
    async (page) => {
      if (!node) throw new Error("The rooms have no panorama.");
      const missingTiles = { ...tiles, base: "/gone" };
      await open(
        page,
        { ...sources.panorama, nodes: [{ ...node, links: [], tiles: missingTiles }] },
        [],
        true,
      );
      await page.evaluate(() => window.stage.viewer?.zoomBy(3.5));
      await waitUntilStill(page);
      const image = await page.evaluate(() => window.stage.captureImage(200));
      // An empty canvas has a deviation of 0.
      expect(image?.deviation).toBeGreaterThan(2);
    },
    { deviceScaleFactor: 1, expected: /404/ },
  ));
