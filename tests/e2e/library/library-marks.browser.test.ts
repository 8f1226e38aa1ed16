import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, type EventJson, postEvent, signIn, unescapeHtml } from "../../support/api/caller";
import { visit } from "../../support/browser/visit";
import {
  concatBytes,
  documentFile,
  glbFile,
  lockedDocument,
  pdfFile,
  tiffFile,
  triangle,
} from "../../support/files/media-files";
import { writeSpz } from "../../support/files/spz";
import { contentApi } from "../../support/scene-event";

let owner: Caller;
let event: EventJson;
const itemIds: string[] = [];

interface ItemJson {
  readonly uuid: string;
  readonly picture_url: string | null;
}

/** Uploads a file through the API, as a program does. */
async function uploadFile(fileName: string, bytes: Uint8Array): Promise<string> {
  const upload = await owner.api<{ uuid: string }>("POST", "/api/v1/uploads", {
    file_name: fileName,
    byte_size: bytes.length,
  });
  const part = await owner.fetch(`/api/v1/uploads/${upload.uuid}/parts/1`, {
    method: "PUT",
    headers: { authorization: `Bearer ${owner.ticket}`, "content-type": "application/octet-stream" },
    body: new Uint8Array(bytes),
  });
  expect(part.status).toBe(200);
  const item = await owner.api<ItemJson>("POST", `/api/v1/uploads/${upload.uuid}/complete`, {});
  itemIds.push(item.uuid);
  return item.uuid;
}

/** A triangle as programs write it, with the bounds of its points. */
const model = {
  ...triangle,
  accessors: triangle.accessors.map((accessor) => ({ ...accessor, min: [0, 0, 0], max: [1, 1, 0] })),
};
const positions = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);

beforeAll(async () => {
  owner = await signIn("owner");
  const [space] = await owner.api<{ uuid: string }[]>("GET", "/api/v1/spaces.json/");
  event = await postEvent(owner, space?.uuid ?? "");
});
afterAll(async () => {
  for (const id of itemIds) await owner.api("DELETE", `/api/v1/media/${id}`);
});

describe("a file that visitors will not see", () => {
  test("is marked with the reason in the lists, forms and pickers of the editor, and where the model of a new space is chosen", async () => {
    const id = await uploadFile("Unopened.glb", glbFile(model, positions));
    const base = `/api/v1/media/${id}/preparation`;
    const { run_uuid } = await owner.api<{ run_uuid: string }>("POST", base, { holder: randomUUID() });
    await owner.api("POST", `${base}/fail`, { run_uuid, code: "not_shown" });
    const mediaItem = await owner.api<{ uuid: string }>("POST", "/api/v1/event_media.json/", {
      event_uuid: event.uuid,
      library_item_uuid: id,
      title: { ja: "模型", en: "Model" },
    });
    const reason = "Unopened.glb could not be opened in a browser";
    const tagId = randomUUID();
    const values = { title: { ja: "模型", en: "Model" }, media_uuids: [mediaItem.uuid] };
    await contentApi(owner, event).edit({ op: "create_tag", uuid: tagId, values });
    for (const url of [
      "?panel=media",
      `?panel=media&medium=${mediaItem.uuid}`,
      "?panel=media&pick=media&find=Unopened",
      `?panel=tags&tag=${tagId}`,
      `?panel=tags&tag=${tagId}&pick=media&find=Unopened`,
    ]) {
      const { visibleText: text } = await owner.get(`/event/${event.uuid}${url}&lang=en`);
      expect([url, text.includes(reason)]).toEqual([url, true]);
    }
    const chooser = await owner.get("/space-list/new?kind=model&q=Unopened&lang=en");
    expect(chooser.visibleText).toContain(reason);
  });

  test("is marked in the list of images for the floor plan", async () => {
    const id = await uploadFile("Unconverted.tiff", tiffFile(64, 64));
    const waitingMark = "Not visible: waiting for conversion";
    const openPlanPicker = () =>
      owner.get(`/event/${event.uuid}?panel=plan&pick=plan&find=Unconverted&lang=en`);
    expect((await openPlanPicker()).visibleText.split(waitingMark)).toHaveLength(2);
    await owner.api("POST", "/api/v1/event_media.json/", {
      event_uuid: event.uuid,
      library_item_uuid: id,
      title: { ja: "図面", en: "Drawing" },
    });
    // The mark appears once among the images of the event, and once in the library.
    expect((await openPlanPicker()).visibleText.split(waitingMark)).toHaveLength(3);
  });
});

/** A document in which one part is replaced by another of the same length, so that the file's structure stays valid. */
const replacePart = (bytes: Uint8Array, part: string, replacement: string) => {
  const text = Buffer.from(bytes).toString("latin1");
  expect(text).toContain(part);
  return concatBytes(Buffer.from(text.replace(part, replacement), "latin1"));
};

describe("a document that a program sent", () => {
  const kids = "/Count 2/Kids[3 0 R 4 0 R]";
  const unreadableFiles = {
    "Damaged.pdf": pdfFile(),
    "Pageless.pdf": replacePart(documentFile(), kids, "/Count 0/Kids[           ]"),
    "Torn.pdf": replacePart(documentFile(), kids, "/Count 2/Kids[90 0 R 91 0]"),
    "Sealed.pdf": replacePart(lockedDocument("secret"), "/Filter/Standard", "/Filter/AdobePKI"),
  };
  const readCode = async (id: string) =>
    (await owner.api<{ code: string | null }>("GET", `/api/v1/media/${id}/preparation`)).code;

  test("is marked when it cannot be opened, in the library and on its page", async () => {
    const ids: string[] = [];
    for (const [name, bytes] of Object.entries(unreadableFiles)) ids.push(await uploadFile(name, bytes));
    const openableId = await uploadFile("Opened.pdf", documentFile());
    await visit({ as: owner, lang: "ja" }, async ({ open, page, t }) => {
      await open("/library");
      for (const name of Object.keys(unreadableFiles))
        await page.getByText(t("library:conversion.code.not_shown", { name })).first().waitFor();
      await open(`/library/items/${ids[0]}`);
      await page.getByText(t("library:conversion.hidden.title")).waitFor();
    });
    const unlistedId = await uploadFile("Never listed.pdf", pdfFile());
    await visit({ as: owner, lang: "en" }, async ({ open, page, t }) => {
      await open(`/library/items/${unlistedId}`);
      await page.getByText(t("library:conversion.code.not_shown", { name: "Never listed.pdf" })).waitFor();
    });
    expect(await Promise.all([...ids, unlistedId, openableId].map(readCode))).toEqual([
      ...Array(5).fill("not_shown"),
      null,
    ]);
  });

  for (const lang of ["ja", "en"] as const)
    test(`is not marked when it needs a password; its owner sees a message, and no thumbnail shows its pages (${lang})`, async () => {
      const lockedId = await uploadFile("Locked.pdf", lockedDocument("secret"));
      await visit({ as: owner, lang }, async ({ open, page, t }) => {
        await open(`/library/items/${lockedId}`);
        await page.getByText(t("library:item.needsPassword")).waitFor();
        expect(await page.getByText(t("library:conversion.hidden.title")).count()).toBe(0);
        await page.getByLabel(t("visitors-late:document.password")).fill("secret");
        await page.keyboard.press("Enter");
        await page.getByText("Locked plan").waitFor({ state: "attached" });
        // A thumbnail would be uploaded as soon as the document is visible.
        await page.waitForLoadState("networkidle");
      });
      expect(await readCode(lockedId)).toBeNull();
      const { picture_url: image } = await owner.api<ItemJson>("GET", `/api/v1/media/${lockedId}`);
      expect(image).toBeNull();
    });
});

describe("an HDR panorama", () => {
  test("is offered in a list of HDR images only, also for a new space", async () => {
    const hdrId = await uploadFile(
      "Studio-light.hdr",
      concatBytes("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n", new Uint8Array(8)),
    );
    const modelId = await uploadFile("Lit.glb", glbFile(model, positions));
    const form = await owner.get(`/space-list/new?kind=model&media=${modelId}&lang=en`);
    const select = /<select[^>]*name="lightMediaId"[\s\S]*?<\/select>/.exec(form.text)?.[0] ?? "";
    expect(select).toContain(hdrId);
    expect(select.match(/<option/g)).toHaveLength(2);
    const created = await owner.post(`/space-list/new?kind=model&lang=en`, {
      intent: "save",
      name: "Lit",
      mediaId: modelId,
      eyeHeight: "1.6",
      light: "file",
      lightMediaId: hdrId,
      scale: "1",
      modelUp: "y",
      turn: "0",
      moves: "loop",
    });
    const spaceId = /\/space\/([0-9a-f-]{36})/.exec(created.headers.get("location") ?? "")?.[1] ?? "";
    const [space] = await owner.api<{ source: object }[]>("GET", `/api/v1/spaces/uuid/${spaceId}`);
    expect(space?.source).toMatchObject({ light: "file", light_media_uuid: hdrId });
    const lightChoice = await owner.get(`/space/${spaceId}/source?choose=light&lang=en`);
    expect(lightChoice.visibleText).toContain("Studio-light");
    expect(lightChoice.text.match(/type="radio"[^>]*name="media"/g)).toHaveLength(1);
    await owner.post(`/space/${spaceId}`, { intent: "delete" });
  });
});

describe("the start of a model that is scaled afterwards", () => {
  test("moves with the model when a plain form is saved, and the owner gets a message", async () => {
    const id = await uploadFile("Scaled.glb", glbFile(model, positions));
    const start = { position: [4, 1.6, 2], yaw: 0, pitch: 0, mode: "walk" };
    const form = {
      intent: "save",
      name: "Scaled",
      mediaId: id,
      eyeHeight: "1.6",
      light: "studio",
      lightMediaId: "",
    };
    const display = { scale: "1", modelUp: "y", turn: "0", moves: "loop" };
    const created = await owner.post("/space-list/new?kind=model", {
      ...form,
      ...display,
      start: JSON.stringify(start),
    });
    const spaceId = /\/space\/([0-9a-f-]{36})/.exec(created.headers.get("location") ?? "")?.[1] ?? "";
    const page = await owner.get(`/space/${spaceId}/source?lang=en`);
    const readHiddenField = (name: string) =>
      unescapeHtml(new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? "");
    const sentForm = {
      ...form,
      ...display,
      scale: "0.5",
      start: readHiddenField("start"),
      version: readHiddenField("version"),
    };
    const saveResponse = await owner.post(`/space/${spaceId}/source`, sentForm);
    expect(saveResponse.headers.get("location")).toContain("toast=source-start-moved");
    const [space] = await owner.api<{ source: { start: object } }[]>("GET", `/api/v1/spaces/uuid/${spaceId}`);
    expect(space?.source.start).toMatchObject({ position: [2, 1.6, 1] });
    await owner.post(`/space/${spaceId}`, { intent: "delete" });
  });
});

describe("a file that a program sent", () => {
  test("gets its thumbnail when its owner opens the library", async () => {
    const splats = Array.from({ length: 64 }, (_, i) => ({
      rotation: [0, 0, 0, 1],
      opacity: 0.99,
      scale: [0.2, 0.2, 0.2],
      color: [0.6, 0.5, 0.4],
      position: [i % 8, 0, Math.floor(i / 8)],
    }));
    const circles = '<circle cx="60" cy="60" r="40" fill="#a33"/>'.repeat(400);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180">${circles}</svg>`;
    const sentIds = [
      await uploadFile("Sent.glb", glbFile(model, positions)),
      await uploadFile("Sent.spz", writeSpz(splats as unknown as Parameters<typeof writeSpz>[0])),
      await uploadFile("Sent.svg", concatBytes(svg)),
    ];
    const readImageUrls = () =>
      Promise.all(
        sentIds.map(async (id) => (await owner.api<ItemJson>("GET", `/api/v1/media/${id}`)).picture_url),
      );
    const urlsBefore = await readImageUrls();
    expect(urlsBefore.slice(0, 2)).toEqual([null, null]);
    await visit({ as: owner, lang: "en", stage: true }, async ({ open }) => {
      await open("/library");
      await expect
        .poll(async () => (await readImageUrls()).every((url, i) => url !== null && url !== urlsBefore[i]), {
          timeout: 120_000,
        })
        .toBe(true);
    });
    // The drawing in a list is a small image instead of a grey placeholder.
    const [, , drawing] = await readImageUrls();
    const response = await owner.fetch(`${new URL(drawing ?? "", owner.origin).pathname}?w=320`, {
      headers: { accept: "image/webp" },
    });
    expect(response.headers.get("content-type")).toBe("image/webp");
  });
});
