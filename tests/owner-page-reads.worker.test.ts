/** Counts the round trips to D1 of owners' pages: the loaders of a page run together, as Remix runs them. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { expect, it } from "vitest";
import type { Env } from "#functions/http/config";
import { createRequestScope } from "#functions/request-scope";
import { sessionCookieName } from "~/domain/auth/session";
import { loader as editor } from "~/routes/content/editor/editor";
import { loader as library } from "~/routes/library/list/library";
import { loader as shell } from "~/routes/shared/shell";
import { loader as spaceList } from "~/routes/spaces/list/space-list";
import { loader as space } from "~/routes/spaces/space/space";
import { createTestApp, PASSWORD, SECRET } from "./support/app/test-app";
import { startBindings } from "./support/app/test-bindings";
import { spyOn } from "./support/app/test-doubles";

const ORIGIN = "http://localhost";
const MAX_TRIPS = 2;

type Loader = (args: LoaderFunctionArgs) => unknown;

async function startOwner() {
  const bindings = await startBindings();
  const testApp = createTestApp(bindings);
  testApp.time.now = Date.now();
  const owner = await testApp.addUser({ email: "owner@demo.example" });
  const { space, eventId } = await testApp.addSpace(owner);
  const item = await testApp.addItem(owner);
  await testApp.addTag(eventId, [await testApp.addMediaItem(eventId, item.id)]);
  const { ticket } = await testApp.services.sessions.logIn({
    email: "owner@demo.example",
    password: PASSWORD,
    userAgent: "",
    network: "1",
  });
  const { db, spy } = spyOn(bindings.db);
  const env = {
    DB: db,
    FILES: bindings.files,
    APP_ENV: "development",
    APP_ORIGIN: "https://hiroba.example",
    MAIL_FROM: "no-reply@hiroba.example",
    SESSION_SECRET: SECRET,
  } as unknown as Env;
  const open = async (path: string, params: Record<string, string>, loader: Loader) => {
    const request = new Request(ORIGIN + path, {
      headers: { cookie: `${sessionCookieName(false)}=${ticket}` },
    });
    const ctx = { waitUntil: () => {} } as unknown as ExecutionContext;
    const context = createRequestScope(env, ctx, ORIGIN).pageContext(request, {
      nonce: "",
      isForCache: false,
    });
    spy.roundTrips = 0;
    spy.statements = [];
    const args = { request, params, context } as unknown as LoaderFunctionArgs;
    const [, page] = await Promise.all([shell(args), loader(args)]);
    return { page, trips: spy.roundTrips, statements: spy.statements.length };
  };
  return { open, space, eventId, folderId: await testApp.readRootFolderId(owner, "space") };
}

it("reads an owner's page in at most two round trips", async () => {
  const { open, space: ownSpace, eventId, folderId } = await startOwner();
  const pages: [string, Record<string, string>, Loader][] = [
    ["/space-list", {}, spaceList],
    [`/space-list/folders/${folderId}`, { folderUuid: folderId }, spaceList],
    ["/space-list?show=all", {}, spaceList],
    [`/space/${ownSpace.id}`, { spaceUuid: ownSpace.id }, space],
    [`/event/${eventId}`, { uuid: eventId }, editor],
    [`/event/${eventId}?panel=media`, { uuid: eventId }, editor],
    ["/library", {}, library],
    ["/library?kind=image", {}, library],
  ];
  for (const [path, params, loader] of pages) {
    const { trips, statements, page } = await open(path, params, loader);
    expect({ path, trips }, `${statements} statements`).toEqual({ path, trips: Math.min(trips, MAX_TRIPS) });
    expect(trips, path).toBeGreaterThan(0);
    expect(page, path).toBeTruthy();
  }
});
