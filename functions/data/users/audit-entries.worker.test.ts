import { beforeEach, expect, it } from "vitest";
import type { Actor } from "~/domain/auth/actor";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { newTag, uuid } from "../../../tests/support/content-commands";
import { pngFile } from "../../../tests/support/files/media-files";
import { audit } from "../schema";

const testApp = useTestApp();
let owner: TestUser;
let actor: Actor;
let eventId: string;
let spaceId: string;

/** Returns the owner as an actor, authenticated by an API token or a session with this id. */
const createActor = (kind: "session" | "token", id: string): Actor => ({
  ...owner.actor,
  credential: {
    kind,
    id,
    authenticatedAt: new Date(testApp.time.now).toISOString(),
    network: "00aa11bb22cc33dd",
  },
});

async function* streamChunk(bytes: Uint8Array) {
  yield bytes;
}
async function* streamForm(fileName: string, bytes: Uint8Array) {
  yield { fileName, chunks: streamChunk(bytes) };
}

beforeEach(async () => {
  owner = await testApp.addUser({ spaceLicense: 10, storageLimit: 100_000_000 });
  actor = createActor("token", "the-token");
  const created = await testApp.addSpace(owner);
  eventId = created.eventId;
  spaceId = created.space.id;
  await testApp.db.delete(audit);
});

it("names the token and the network in entries about folders, media, events and spaces", async () => {
  const { tree, uploads, content, copies, packages } = testApp.services;
  const root = await testApp.readRootFolderId(owner, "space");
  const folder = await tree.createFolder({ actor, folderType: "space", name: "部屋", parentId: root });
  const [item] = await uploads.storeFiles({
    actor,
    declaredBytes: null,
    files: streamForm("a.png", pngFile()),
  });
  await content.editContent({ actor, eventId, commands: [newTag(uuid())] });
  await copies.copyEvent({ actor, eventId });
  await copies.copyItems({ actor, selection: { space: [spaceId] }, folderId: folder.id, lang: "ja" });
  const { body } = await packages.exportEvent({ actor, eventId });
  const packageFile = streamForm("a.zip", new Uint8Array(await new Response(body).arrayBuffer()));
  await packages.importForm({ actor, spaceId, lang: "ja", declaredBytes: null, files: packageFile });
  await tree.deleteItems({
    actor,
    selection: { folder: [folder.id], media: [item && "item" in item ? item.item.id : ""] },
  });
  const rows = await testApp.db.select().from(audit);
  expect(new Set(rows.map(({ action }) => action))).toEqual(
    new Set([
      "folder_created",
      "media_uploaded",
      "event_content_edited",
      "event_copied",
      "space_copied",
      "event_imported",
      "event_exported",
      "folder_deleted",
      "media_deleted",
    ]),
  );
  for (const { action, actorId, credential, network } of rows)
    expect({ action, actorId, credential, network }).toEqual({
      action,
      actorId: owner.user.id,
      credential: "token:the-token",
      network: "00aa11bb22cc33dd",
    });
});

it("separates a token's edits from the owner's edits in a session", async () => {
  const { content } = testApp.services;
  for (const editor of [actor, createActor("session", "the-session"), actor])
    await content.editContent({ actor: editor, eventId, commands: [newTag(uuid())] });
  const rows = await testApp.db.select().from(audit);
  expect(rows.map(({ credential }) => credential).sort()).toEqual(["session:the-session", "token:the-token"]);
});
