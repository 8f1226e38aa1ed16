import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, linkPath, postEvent, signIn } from "../../support/api/caller";
import { type BrowserVisit, visit } from "../../support/browser/visit";

let owner: Caller;
let folder: string;
const spaceIds: string[] = [];
/** Ids of the images in the library that the tests created. */
const images: string[] = [];
beforeAll(async () => {
  owner = await signIn("owner");
  folder = mkdtempSync(join(tmpdir(), "panoramas-"));
});
afterAll(async () => {
  for (const id of spaceIds) await owner.post(`/space/${id}`, { intent: "delete" });
  for (const id of images) await owner.api("DELETE", `/api/v1/media/${id}`);
  rmSync(folder, { recursive: true, force: true });
});

const LONG_TIMEOUT = { timeout: 90_000 } as const;

interface Item {
  readonly uuid: string;
  readonly title: string;
}
/** Uploads an image to the owner's library, and returns its item. */
async function upload({ page, t, open }: BrowserVisit, name: string, image: Sharp): Promise<Item> {
  await open("/library");
  const path = join(folder, `${name}.jpg`);
  await image.jpeg({ quality: 80 }).toFile(path);
  const completion = page.waitForResponse((response) => /\/complete$/.test(new URL(response.url()).pathname));
  await page.locator(`input[type=file][aria-label="${t("library:uploads.choose")}"]`).setInputFiles(path);
  const item = (await (await completion).json()) as Item;
  images.push(item.uuid);
  return item;
}
const createSource = (item: Item) => ({
  kind: "panorama",
  nodes: [{ id: "a", media_uuid: item.uuid, position: [0, 1.6, 0] }],
});

test("a wide panorama gets tiles in its owner's browser, and is shown small at first and sharp on zoom", async () => {
  const [space, item] = await visit({ as: owner, lang: "en", stage: true }, async (self) => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const image = sharp({ create: { width: 576, height: 288, channels: 3, background: "#888", noise } });
    const uploaded = await upload(self, "Hall", image.resize(4608, 2304));
    await self.page
      .getByText(self.t("library:conversion.state.done"), { exact: true })
      .first()
      .waitFor(LONG_TIMEOUT);
    const createdSpace = await owner.api<{ uuid: string }>("POST", "/api/v1/spaces", {
      name: "Tiled hall",
      source: createSource(uploaded),
    });
    return [createdSpace, uploaded] as const;
  });
  spaceIds.push(space.uuid);
  const event = await postEvent(owner, space.uuid, { status_id: 3 });
  const context = { deviceScaleFactor: 1 };
  await visit({ lang: "en", stage: true, context }, async ({ page, open }) => {
    const requests: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // Tiles have no width in their URL, in contrast to the page's images.
      const mediaPath = `/media/${item.uuid}`;
      if (pathname.startsWith(mediaPath) && !searchParams.has("w"))
        requests.push(pathname.slice(`${mediaPath}/`.length));
    });
    await open(linkPath(event, "published"));
    await page.locator('section[data-stage="ready"]').waitFor(LONG_TIMEOUT);
    await expect.poll(() => requests.length).toBeGreaterThan(1);
    expect(requests[0]).toMatch(/^[\w-]{8}\/preview\.(webp|jpg)$/);
    expect(requests[1]).toBe("");
    const listTiles = () => requests.filter((path) => /\/\d\/\d+-\d+\.(webp|jpg)$/.test(path));
    expect(listTiles()).toEqual([]);
    await page.locator("section[data-stage] canvas").hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -400);
        return listTiles().length;
      })
      .toBeGreaterThan(0);
    expect(listTiles().length).toBeLessThan(18);
  });
}, 300_000);

const CIRCLE = '<circle cx="512" cy="512" r="500" fill="#9ab"/>';
const FISHEYE = `<svg xmlns="http://www.w3.org/2000/svg" width="2048" height="1024"><rect width="2048" height="1024"/>${CIRCLE}<g transform="translate(1024)">${CIRCLE}</g></svg>`;

test("an image of two fisheye circles is rejected with instructions: in the form without scripts, and by the API", async () => {
  await visit({ as: owner, lang: "en" }, async (self) => {
    const item = await upload(self, "Unstitched", sharp(Buffer.from(FISHEYE)));
    const response = await owner.fetch("/api/v1/spaces?lang=en", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${owner.ticket}` },
      body: JSON.stringify({ name: "Unstitched", source: createSource(item) }),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(self.t("spaces:sources.errors.fisheye"));
    await visit({ as: owner, lang: "en", js: false }, async ({ page, t, open, expectStatus }) => {
      expectStatus(400);
      await open(`/space-list/new?kind=panorama&media=${item.uuid}`);
      await page.getByRole("button", { name: t("spaces:createSubmit") }).click();
      await page.getByText(t("spaces:sources.errors.fisheye")).first().waitFor();
    });
  });
}, 120_000);

test("the form of a new space converts a cubemap to a panorama, which then has no error", async () => {
  await visit({ as: owner, lang: "en" }, async (self) => {
    const { page, t, open } = self;
    // A cross of six faces of one colour, whose edges match.
    const cubemap = sharp({ create: { width: 512, height: 384, channels: 3, background: "#789" } });
    const item = await upload(self, "Cross", cubemap);
    await open(`/space-list/new?kind=panorama&media=${item.uuid}`);
    const size = { width: 512, height: 384 };
    const findShapeError = (title: string) =>
      page.getByText(t("spaces:sources.errors.shape", { title, ...size }));
    await findShapeError(item.title).waitFor();
    await page.getByRole("button", { name: t("spaces:sources.makePanorama", { title: item.title }) }).click();
    const createdTitle = `${item.title} 360`;
    await page.getByText(createdTitle, { exact: true }).first().waitFor(LONG_TIMEOUT);
    expect(await findShapeError(createdTitle).count()).toBe(0);
    expect(await page.getByText(t("spaces:sources.panoramaHelp")).count()).toBe(0);
    images.push(await page.locator("input[name=nodeMedia]").inputValue());
  });
}, 120_000);
