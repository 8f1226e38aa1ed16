/** Reads the documented lists from beginning to end through the links in their responses. */

import { beforeEach, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { CALLS } from "..";
import type { Call } from "./call";

const testApp = useTestApp();
let owner: TestUser;
let send: ApiUser;
/** Values for `{uuid}` in the path of a list. */
let ids: Readonly<Record<string, string>>;

const LISTS = CALLS.filter(
  ({ method, list, wholeListKey }) => method === "GET" && (list ?? wholeListKey) !== undefined,
);

/** Creates at least three records for every list that is not in EMPTY. */
beforeEach(async () => {
  const { services } = testApp;
  owner = await testApp.addUser({ email: "owner@demo.example", role: "admin", spaceLicense: 100 });
  const { actor } = owner;
  send = await apiUser(testApp, owner);
  await apiUser(testApp, owner);
  await apiUser(testApp, owner);
  const { space, eventId } = await testApp.addSpace(owner, "本館");
  const groups = [];
  for (const name of ["一", "二", "三"]) {
    await testApp.addSpace(owner, name);
    await services.events.createEvent({ actor, spaceId: space.id, eventName: newText(name) });
    await services.tree.createFolder({ actor, folderType: "space", name });
    await services.uploads.startUpload({ actor, fileName: "a.png", byteSize: 10, fingerprint: name });
    await testApp.addMediaItem(eventId, (await testApp.addItem(owner)).id);
    const deleted = await services.events.createEvent({
      actor,
      spaceId: space.id,
      eventName: newText(`x${name}`),
    } as never);
    await services.events.deleteEvent({ actor, eventId: deleted.id });
    const folder = await services.tree.createFolder({ actor, folderType: "space", name: `x${name}` });
    await services.tree.deleteItems({ actor, selection: { folder: [folder.id] } });
    const group = await services.groups.createGroup({ actor, name });
    await services.groups.addMember({ actor, groupId: group.id, userId: owner.user.id });
    groups.push(group.id);
    await testApp.addTag(eventId);
  }
  for (let n = 0; n < 3; n++)
    await services.groups.addMember({
      actor,
      groupId: groups[0] ?? "",
      userId: (await testApp.addUser()).user.id,
    });
  for (let n = 0; n < 3; n++)
    await send("POST", "/v1/webhooks", { url: "https://receiver.example.com/", types: ["event.changed"] });
  const [webhook] = (await send("GET", "/v1/webhooks")).json;
  for (let n = 0; n < 3; n++) await send("POST", `/v1/webhooks/${webhook.uuid}/test`);
  ids = { events: eventId, spaces: space.id, groups: groups[0] ?? "", webhooks: webhook.uuid };
});

/** The path of a list, with the id of the resource that the word before `{uuid}` names. */
const listPath = ({ path }: Call) =>
  path.replace(/\/([a-z_]+)\/\{uuid\}/, (_all, kind: string) => {
    const id = ids[kind === "event_uuid" ? "events" : kind === "space_uuid" ? "spaces" : kind];
    return `/${kind}/${id}`;
  });

/** Lists that are empty here: passkeys need a browser, a search needs words, and there is no store. */
const EMPTY = new Set(["listPasskeys", "findMemberCandidates", "listAttachedProducts"]);

it("the pages of a list contain each item once, an invalid cursor is rejected, and a cursor of an id that does not exist returns an empty page", async () => {
  expect(LISTS.length).toBeGreaterThan(20);
  for (const call of LISTS.filter(({ id }) => !EMPTY.has(id))) {
    const url = listPath(call);
    const key = call.wholeListKey ?? "uuid";
    const keys = (items: readonly Record<string, string>[]) => items.map((item) => item[key]);
    const fullList = await send("GET", `${url}?limit=100`);
    expect([call.id, fullList.status]).toEqual([call.id, 200]);
    expect(fullList.json.length, call.id).toBeGreaterThan(2);
    const pagedKeys: (string | undefined)[] = [];
    let next: string | undefined = `${url}?limit=2`;
    for (let pageCount = 0; next !== undefined && pageCount < 60; pageCount++) {
      const page = await send("GET", next);
      expect(page.json.length, `${call.id} ${next}`).toBeGreaterThan(0);
      expect(page.json.length).toBeLessThan(3);
      pagedKeys.push(...keys(page.json));
      next = /<\/api([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
      if (next) expect(next, call.id).toContain("cursor=after");
    }
    expect([call.id, pagedKeys]).toEqual([call.id, keys(fullList.json)]);
    expect(new Set(pagedKeys).size, call.id).toBe(pagedKeys.length);
    expect([call.id, (await send("GET", `${url}?cursor=zzz`)).status]).toEqual([call.id, 400]);
    const afterUnknownId = await send("GET", `${url}?cursor=after~${crypto.randomUUID()}`);
    expect([call.id, afterUnknownId.status, afterUnknownId.json]).toEqual([call.id, 200, []]);
  }
});
