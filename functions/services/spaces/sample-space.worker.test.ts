import { expect, it } from "vitest";
import { catchErrorCode, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();

it("creates a space whose file is in the owner's library, and stores nothing without a folder or a licence", async () => {
  const owner = await testApp.addUser({ spaceLicense: 1 });
  const { services, data } = testApp;
  const unknownFolder = { folderId: crypto.randomUUID() };
  expect(
    await catchErrorCode(
      services.spaces.createSampleSpace({ actor: owner.actor, name: "Nowhere", ...unknownFolder }),
    ),
  ).toBe("not_found");
  expect((await testApp.readAccount(owner.user.id))?.storageUsed).toBe(0);
  const { space } = await services.spaces.createSampleSpace({ actor: owner.actor, name: "Sample gallery" });
  expect(space).toMatchObject({ name: "Sample gallery", source: { kind: "model" }, ownerId: owner.user.id });
  const mediaId = space.source.kind === "model" ? space.source.mediaId : "";
  expect(await data.library.find(mediaId)).toMatchObject({
    kind: "model",
    ownerId: owner.user.id,
    check: null,
    title: "Sample gallery",
  });
  const used = (await testApp.readAccount(owner.user.id))?.storageUsed;
  expect(
    await catchErrorCode(services.spaces.createSampleSpace({ actor: owner.actor, name: "Another" })),
  ).toBe("space_license");
  expect((await testApp.readAccount(owner.user.id))?.storageUsed).toBe(used);
});

it("creates an exhibition in the sample when requested, in the status Preview and with placed tags", async () => {
  const owner = await testApp.addUser();
  const { actor } = owner;
  const { services } = testApp;
  const { space, eventId } = await services.spaces.createSampleSpace({
    actor,
    name: "Sample gallery",
    exhibitionLang: "en",
  });
  const { event } = await services.events.getEvent({ actor, eventId });
  expect(event).toMatchObject({ eventName: { ja: "展覧会", en: "Exhibition" }, statusId: 2 });
  const { tags, scene } = await services.content.getContent({ actor, eventId });
  expect(tags).toHaveLength(6);
  for (const { position } of tags) expect(position).not.toBeNull();
  expect(scene.startView).toEqual(space.source.kind === "model" && space.source.start);
});
