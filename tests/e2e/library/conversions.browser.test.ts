import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebIO } from "@gltf-transform/core";
import { KHRDracoMeshCompression } from "@gltf-transform/extensions";
import draco3d from "draco3dgltf";
import { MkvOutputFormat } from "mediabunny";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, signIn } from "../../support/api/caller";
import { type BrowserVisit, describeVisit, type VisitOptions, visit } from "../../support/browser/visit";
import { glbFile, pngFile } from "../../support/files/media-files";
import { createVideo } from "../../support/files/video-file";

/** An account whose library no other test uses. */
let person: Caller;
let folder: string;
/** Path of a heavy GLB file. */
let heavyFile: string;
beforeAll(async () => {
  person = await signIn("yoshida");
  folder = mkdtempSync(join(tmpdir(), "conversions-"));
  heavyFile = join(folder, "Hills.glb");
  writeFileSync(heavyFile, createHills(600));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A GLB file of hills: 2 × side² triangles. */
function createHills(side: number): Uint8Array {
  const count = (side + 1) ** 2;
  const positions = new Float32Array(count * 3);
  const indices = new Uint32Array(side * side * 6);
  for (let z = 0, offset = 0; z <= side; z++)
    for (let x = 0; x <= side; x++) {
      const height = 1.5 * Math.sin((x / side) * 9) * Math.cos((z / side) * 7);
      positions.set([(x / side) * 20 - 10, height, (z / side) * 20 - 10], offset);
      offset += 3;
    }
  for (let z = 0, offset = 0; z < side; z++)
    for (let x = 0; x < side; x++) {
      const corner = z * (side + 1) + x;
      indices.set(
        [corner, corner + side + 1, corner + 1, corner + 1, corner + side + 1, corner + side + 2],
        offset,
      );
      offset += 6;
    }
  const scene = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    materials: [
      {
        pbrMetallicRoughness: {
          baseColorFactor: [0.55, 0.7, 0.5, 1],
          metallicFactor: 0,
          roughnessFactor: 0.9,
        },
      },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count, type: "VEC3", min: [-10, -1.5, -10], max: [10, 1.5, 10] },
      { bufferView: 1, componentType: 5125, count: indices.length, type: "SCALAR" },
    ],
    bufferViews: [
      { buffer: 0, byteLength: positions.byteLength },
      { buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength },
    ],
    buffers: [{ byteLength: positions.byteLength + indices.byteLength }],
  };
  const binary = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(indices.buffer)]);
  return glbFile(scene, binary);
}

async function packWithDraco(file: Uint8Array): Promise<Uint8Array> {
  const io = new WebIO()
    .registerExtensions([KHRDracoMeshCompression])
    .registerDependencies({ "draco3d.encoder": await draco3d.createEncoderModule() });
  const document = await io.readBinary(new Uint8Array(file));
  document.createExtension(KHRDracoMeshCompression).setRequired(true);
  return io.writeBinary(document);
}

/** Gives a model five textures of 2,048 × 2,048 pixels, each of another grey. */
async function addTextures(file: Uint8Array): Promise<Uint8Array> {
  const io = new WebIO();
  const document = await io.readBinary(new Uint8Array(file));
  const [material] = document.getRoot().listMaterials();
  const [primitive] = document.getRoot().listMeshes()[0]?.listPrimitives() ?? [];
  const count = primitive?.getAttribute("POSITION")?.getCount() ?? 0;
  const coordinates = document
    .createAccessor()
    .setType("VEC2")
    .setArray(new Float32Array(count * 2));
  primitive?.setAttribute("TEXCOORD_0", coordinates.setBuffer(document.getRoot().listBuffers()[0] ?? null));
  const textures = await Promise.all(
    [60, 90, 120, 150, 180].map(async (grey) => {
      const background = { r: grey, g: grey, b: grey };
      const png = await sharp({ create: { width: 2048, height: 2048, channels: 3, background } })
        .png()
        .toBuffer();
      return document.createTexture().setImage(new Uint8Array(png)).setMimeType("image/png");
    }),
  );
  material
    ?.setBaseColorTexture(textures[0] ?? null)
    .setEmissiveTexture(textures[1] ?? null)
    .setOcclusionTexture(textures[2] ?? null)
    .setMetallicRoughnessTexture(textures[3] ?? null)
    .setNormalTexture(textures[4] ?? null);
  return io.writeBinary(document);
}

interface Preparation {
  readonly state: string;
  readonly code: string | null;
  readonly byte_size: number;
  readonly quality: number | null;
  readonly display_url: string | null;
  readonly before: { readonly triangles: number } | null;
  readonly after: { readonly triangles: number } | null;
}
interface Item {
  readonly uuid: string;
  readonly title: string;
  readonly byte_size: number;
}
const readPreparation = (id: string) => person.api<Preparation>("GET", `/api/v1/media/${id}/preparation`);
const findItem = async (name = "Hills"): Promise<Item> => {
  const [item] = await person.api<Item[]>("GET", `/api/v1/media?q=${name}`);
  if (!item) throw new Error("no item");
  return item;
};
const deleteItem = (id: string) => person.api("DELETE", `/api/v1/media/${id}`).catch(() => null);
const CONVERTED_FILES = "**/api/v1/media/*/preparation/file?*";
const chooseFiles = async ({ page, t }: BrowserVisit, paths: string | string[]) =>
  page.locator(`input[type=file][aria-label="${t("library:uploads.choose")}"]`).setInputFiles(paths);
const textLocator = (self: BrowserVisit, text: string) => self.page.getByText(text, { exact: true }).first();
/** OBJ files state no unit. */
const NO_UNIT = [{ key: "unit_guessed", values: { unit: "m" } }];
const LONG_TIMEOUT = { timeout: 60_000 } as const;

/** Sends the file without a browser, so that it waits for its conversion. */
async function sendHills(side = 600, pack = async (file: Uint8Array) => file): Promise<Item> {
  const bytes = await pack(createHills(side));
  const upload = await person.api<{ uuid: string; part_size: number }>("POST", "/api/v1/uploads", {
    file_name: "Hills.glb",
    byte_size: bytes.length,
  });
  for (let offset = 0, part = 1; offset < bytes.length; offset += upload.part_size, part++)
    await person.fetch(`/api/v1/uploads/${upload.uuid}/parts/${part}`, {
      method: "PUT",
      headers: { "content-type": "application/octet-stream", authorization: `Bearer ${person.ticket}` },
      body: new Uint8Array(bytes.subarray(offset, offset + upload.part_size)),
    });
  return person.api<Item>("POST", `/api/v1/uploads/${upload.uuid}/complete`, {});
}

describe("a heavy model", () => {
  test("is converted in the page that uploaded it, and the lighter one is served", async () => {
    await visit({ as: person, lang: "en", stage: true }, async (self) => {
      await self.open("/library");
      await chooseFiles(self, heavyFile);
      await textLocator(self, "Converting a GLB file…").waitFor(LONG_TIMEOUT);
      await textLocator(self, self.t("library:conversion.state.done")).waitFor(LONG_TIMEOUT);
      const item = await findItem();
      const result = await readPreparation(item.uuid);
      expect(result).toMatchObject({ state: "done", before: { triangles: 720_000 } });
      expect(result.after?.triangles).toBeLessThanOrEqual(500_000);
      expect(result.byte_size).toBeLessThan(item.byte_size / 2);
      const readSize = async (path: string) => (await (await person.fetch(path)).arrayBuffer()).byteLength;
      expect(await readSize(`/media/${item.uuid}/original`)).toBe(item.byte_size);
      expect(await readSize(`/media/${item.uuid}`)).toBeLessThan(item.byte_size / 2);
      await deleteItem(item.uuid);
    });
  }, 240_000);

  test("continues after its page was reloaded during the conversion", async () => {
    await visit({ as: person, lang: "en", stage: true }, async (self) => {
      const item = await sendHills();
      await self.page.route(CONVERTED_FILES, () => {});
      await self.open(`/library/items/${item.uuid}`);
      await textLocator(self, self.t("library:conversion.state.sending", { percent: 0 })).waitFor(
        LONG_TIMEOUT,
      );
      expect((await readPreparation(item.uuid)).state).toBe("waiting");
      // Without a page that waits for it, the held request is dropped. `unroute` would send it, and the conversion would end before the reload.
      await self.page.goto("about:blank");
      await self.page.unroute(CONVERTED_FILES);
      await self.open(`/library/items/${item.uuid}`);
      await textLocator(self, self.t("library:conversion.state.done")).waitFor(LONG_TIMEOUT);
      expect((await readPreparation(item.uuid)).state).toBe("done");
      await deleteItem(item.uuid);
    });
  }, 240_000);

  test("is converted by one of two open pages; the other shows a message and has no console errors", async () => {
    await visit({ as: person, lang: "en", stage: true }, async (self) => {
      const item = await sendHills();
      let releaseRequest = () => {};
      const released = new Promise<void>((resolve) => {
        releaseRequest = resolve;
      });
      await self.page.route(CONVERTED_FILES, async (route) => {
        await released;
        await route.continue();
      });
      await self.open(`/library/items/${item.uuid}`);
      await textLocator(self, self.t("library:conversion.state.sending", { percent: 0 })).waitFor(
        LONG_TIMEOUT,
      );
      await visit({ as: person, lang: "en", stage: true }, async (secondVisit) => {
        await secondVisit.open("/library");
        await secondVisit.open(`/library/items/${item.uuid}`);
        await textLocator(secondVisit, secondVisit.t("library:conversion.state.busy")).waitFor(LONG_TIMEOUT);
        releaseRequest();
        await textLocator(self, self.t("library:conversion.state.done")).waitFor(LONG_TIMEOUT);
        await textLocator(secondVisit, secondVisit.t("library:conversion.state.done")).waitFor(LONG_TIMEOUT);
      });
      await deleteItem(item.uuid);
    });
  }, 240_000);

  test("with large textures gets compressed ones under the page's content security policy", async () => {
    await visit({ as: person, lang: "en", stage: true }, async (self) => {
      const { page, t } = self;
      const item = await sendHills(20, addTextures);
      await self.open(`/library/items/${item.uuid}`);
      const panel = page.getByRole("region", { name: t("library:conversion.title") });
      await panel.getByRole("button", { name: t("library:conversion.convert") }).click();
      await panel.getByRole("button", { name: t("library:conversion.keep") }).click({ timeout: 120_000 });
      await textLocator(self, t("library:conversion.state.done")).waitFor(LONG_TIMEOUT);
      const { display_url } = await readPreparation(item.uuid);
      const display = Buffer.from(
        await (await person.fetch(new URL(display_url ?? "", person.origin).pathname)).arrayBuffer(),
      );
      expect(display.toString("latin1")).toContain("KHR_texture_basisu");
      await deleteItem(item.uuid);
    });
  }, 240_000);

  test("is shown in another quality beside the original before it is saved", async () => {
    await visit({ as: person, lang: "en", stage: true }, async (self) => {
      const { page, t } = self;
      const item = await sendHills(200, packWithDraco);
      await self.open(`/library/items/${item.uuid}`);
      const panel = page.getByRole("region", { name: t("library:conversion.title") });
      await panel.getByLabel(t("library:conversion.quality")).fill("20");
      await panel.getByRole("button", { name: t("library:conversion.convert") }).press("Enter");
      await panel.getByRole("img", { name: t("library:conversion.original") }).waitFor(LONG_TIMEOUT);
      // The keyboard's focus stays in the panel.
      expect(await panel.evaluate((section) => section.contains(document.activeElement))).toBe(true);
      await panel.getByRole("img", { name: t("library:conversion.converted") }).waitFor();
      expect((await readPreparation(item.uuid)).display_url).toBeNull();
      // Opening the page again continues the conversion and asks the owner for a decision again.
      await self.open(`/library/items/${item.uuid}`);
      await panel.getByRole("img", { name: t("library:conversion.converted") }).waitFor(LONG_TIMEOUT);
      expect(await readPreparation(item.uuid)).toMatchObject({ state: "waiting", display_url: null });
      // Another quality can be tried beside the original.
      const firstImageUrl = await panel
        .getByRole("img", { name: t("library:conversion.converted") })
        .getAttribute("src");
      await panel.getByLabel(t("library:conversion.quality")).fill("60");
      await panel.getByRole("button", { name: t("library:conversion.again") }).click();
      await panel.locator(`img[src="${firstImageUrl}"]`).waitFor({ state: "detached", timeout: 60_000 });
      await panel.getByRole("button", { name: t("library:conversion.keep") }).click();
      await textLocator(self, t("library:conversion.state.done")).waitFor(LONG_TIMEOUT);
      expect(await readPreparation(item.uuid)).toMatchObject({ state: "done", quality: 0.6 });
      // The owner returns to the unconverted original.
      await panel.getByRole("button", { name: t("library:conversion.skip") }).click();
      await panel.getByText(t("library:conversion.skippedText")).waitFor();
      expect(await panel.getByText(t("library:conversion.state.done")).count()).toBe(0);
      expect(await readPreparation(item.uuid)).toMatchObject({ state: "skipped", display_url: null });
      await deleteItem(item.uuid);
    });
  }, 240_000);

  test("stops when a user cancels it, with a message", async () => {
    await visit({ as: person, lang: "en", stage: true }, async (self) => {
      const { page, t } = self;
      const item = await sendHills();
      await page.route(CONVERTED_FILES, () => {});
      await self.open(`/library/items/${item.uuid}`);
      await textLocator(self, t("library:conversion.state.sending", { percent: 0 })).waitFor(LONG_TIMEOUT);
      await page.getByRole("button", { name: t("library:conversion.cancel") }).click();
      await textLocator(self, t("library:conversion.code.cancelled")).waitFor(LONG_TIMEOUT);
      await expect.poll(async () => (await readPreparation(item.uuid)).state).toBe("failed");
      await deleteItem(item.uuid);
    });
  }, 240_000);
});

test("a worker that runs out of memory is reported to the owner, and the original is unchanged", async () => {
  await visit({ as: person, lang: "en", stage: true }, async (self) => {
    // Simulates a model that needs too much memory, because a real one would exhaust this machine.
    await self.page.route("**/assets/glb.worker-*", (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: "onmessage = () => { new ArrayBuffer(2 ** 45); };",
      }),
    );
    const item = await sendHills();
    await self.open(`/library/items/${item.uuid}`);
    await textLocator(self, self.t("library:conversion.code.out_of_memory", { name: "Hills.glb" })).waitFor(
      LONG_TIMEOUT,
    );
    await expect.poll(async () => (await readPreparation(item.uuid)).state).toBe("failed");
    expect(await readPreparation(item.uuid)).toMatchObject({ code: "out_of_memory", display_url: null });
    const original = await (await person.fetch(`/media/${item.uuid}/original`)).arrayBuffer();
    expect(original.byteLength).toBe(item.byte_size);
    await deleteItem(item.uuid);
  });
}, 240_000);

describe("an OBJ model", () => {
  test("is converted with the textures that were chosen together with it", async () => {
    const files = {
      "Sign.obj":
        "mtllib Sign.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl wood\nf 1/1 2/2 3/3\n",
      "Sign.mtl": "newmtl wood\nKd 1 1 1\nmap_Kd wood.png\n",
      "wood.png": pngFile(),
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    await visit({ as: person, lang: "en", stage: true }, async (self) => {
      await self.open("/library");
      await chooseFiles(
        self,
        Object.keys(files).map((name) => join(folder, name)),
      );
      await textLocator(self, self.t("library:conversion.state.done")).waitFor(LONG_TIMEOUT);
      const item = await findItem("Sign");
      expect(await person.api("GET", "/api/v1/media?q=wood")).toEqual([]);
      expect(await readPreparation(item.uuid)).toMatchObject({ state: "done", losses: [], notes: NO_UNIT });
      const display = await person.fetch(`/media/${item.uuid}`);
      const model = await new WebIO().readBinary(new Uint8Array(await display.arrayBuffer()));
      expect(model.getRoot().listTextures()).toHaveLength(1);
      await deleteItem(item.uuid);
    });
  }, 120_000);
});

describe("a video that not all browsers play", () => {
  test("is converted in the page that uploaded it, and the converted one is served", async () => {
    const path = join(folder, "Waves.mkv");
    writeFileSync(path, await createVideo(10, new MkvOutputFormat()));
    await visit({ as: person, lang: "en" }, async (self) => {
      await self.open("/library");
      await chooseFiles(self, path);
      await textLocator(self, self.t("library:conversion.state.done")).waitFor(LONG_TIMEOUT);
      const item = await findItem("Waves");
      const response = await person.fetch(`/media/${item.uuid}`);
      expect(response.headers.get("content-type")).toBe("video/webm");
      const original = await person.fetch(`/media/${item.uuid}/original`);
      expect((await original.arrayBuffer()).byteLength).toBe(item.byte_size);
      await deleteItem(item.uuid);
    });
  }, 120_000);
});

describe("without scripts", () => {
  test("the page states that JavaScript is required, and offers to use the file as it is", async () => {
    await visit({ as: person, lang: "en", js: false }, async (self) => {
      const { page, t } = self;
      const item = await sendHills();
      await self.open(`/library/items/${item.uuid}`);
      expect(await page.getByText(t("library:conversion.needsScript")).isVisible()).toBe(true);
      await page.getByRole("button", { name: t("library:conversion.skip") }).click();
      await page.getByText(t("library:conversion.skippedText")).waitFor();
      expect((await readPreparation(item.uuid)).state).toBe("skipped");
      await deleteItem(item.uuid);
    });
  }, 120_000);
});

/** Each language and width with scripts, and one combination without. */
const VISITS = [
  { lang: "ja", js: true, width: 390 },
  { lang: "en", js: true, width: 1280 },
  { lang: "en", js: false, width: 390 },
] as const satisfies readonly VisitOptions[];

test.each(VISITS.map((options) => [describeVisit(options), options] as const))(
  "the page of a model opens, and axe finds no violation after a conversion with scripts: %s",
  async (_name, options) => {
    await visit({ ...options, as: person, stage: options.js, reducedMotion: true }, async (self) => {
      const item = await sendHills(options.js ? 150 : 600);
      await self.open(`/library/items/${item.uuid}`);
      if (options.js) {
        const panel = self.page.getByRole("region", { name: self.t("library:conversion.title") });
        await panel.getByRole("button", { name: self.t("library:conversion.convert") }).click();
        await panel.getByRole("button", { name: self.t("library:conversion.keep") }).waitFor(LONG_TIMEOUT);
        await self.axe("conversion");
      }
      await self.saveScreenshot("conversion", { fullPage: true });
      await deleteItem(item.uuid);
    });
  },
  120_000,
);
