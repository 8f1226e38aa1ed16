/**
 * A complete scenario with a client that is generated from the OpenAPI document alone. Fields and calls that its types lack do not
 * compile.
 */

import createClient from "openapi-fetch";
import { beforeEach, expect, it } from "vitest";
import type { paths } from "#api-types";
import { callApi } from "./support/api/test-api";
import { PASSWORD, useTestApp } from "./support/app/test-app";

const testApp = useTestApp();
const sendRequest = (request: Request) => callApi(testApp, request);
const client = (ticket?: string) =>
  createClient<paths>({
    baseUrl: "https://hiroba.test",
    fetch: sendRequest,
    ...(ticket !== undefined && { headers: { authorization: `Bearer ${ticket}` } }),
  });

beforeEach(async () => {
  await testApp.addUser({ email: "owner@demo.example" });
});

it("an owner logs in, creates and publishes an event that visitors read, copies it and deletes it", async () => {
  const visitor = client();
  const rejected = await visitor.POST("/api/cas/tickets", {
    body: { email: "owner@demo.example", password: "wrong" },
  });
  expect(rejected.error).toMatchObject({ code: "bad_credentials", status: 401 });
  const login = await visitor.POST("/api/cas/tickets", {
    body: { email: "owner@demo.example", password: PASSWORD },
  });
  const owner = client(login.data?.ticket);

  const space = (await owner.POST("/api/v1/spaces", { body: { name: "渋谷", sid: "SxQL3iGyoDo" } })).data;
  if (!space) throw new Error("no space");
  const created = await owner.POST("/api/v1/events", {
    body: { space_uuid: space.uuid, event_name: "春の展示", event_detail: "ようこそ" },
  });
  const event = created.data;
  if (!event) throw new Error("no event");
  const uuid = event.uuid;
  const tag = await owner.POST("/api/v1/event_tags", {
    body: { event_uuid: uuid, title: { ja: "受付", en: "Reception" }, position: [1, 2, 3] },
  });
  expect(tag.response.status).toBe(201);

  const link = { params: { path: { uuid, token: event.access_token } } };
  expect((await visitor.GET("/api/fetch_publish_event/{uuid}/{token}", link)).error?.code).toBe("not_found");
  const etag = created.response.headers.get("etag") ?? "";
  const published = await owner.PUT("/api/v1/events/{uuid}", {
    params: { path: { uuid }, header: { "If-Match": etag } },
    body: { status_id: 3 },
  });
  expect(published.data).toMatchObject({ status_id: 3, version: event.version + 1 });
  const stale = await owner.PUT("/api/v1/events/{uuid}", {
    params: { path: { uuid }, header: { "If-Match": etag } },
    body: { event_name: "x" },
  });
  expect(stale.error).toMatchObject({ code: "stale_version", status: 412 });
  expect((await visitor.GET("/api/fetch_publish_event/{uuid}/{token}", link)).data).toMatchObject({
    event_name: "春の展示",
  });
  const tags = await visitor.GET("/api/fetch_event_tags/event_uuid/{uuid}", {
    params: { path: { uuid }, query: { token: event.access_token } },
  });
  expect(tags.data?.map(({ title }) => title.en)).toEqual(["Reception"]);

  const copy = await owner.POST("/api/copy_event", {
    body: { target_event_uuid: uuid, event_name: "夏の展示" },
  });
  expect(copy.data?.event_name).toBe("夏の展示");
  expect((await owner.DELETE("/api/v1/events/{uuid}", { params: { path: { uuid } } })).data?.status).toBe(
    "success",
  );
  expect((await visitor.GET("/api/fetch_publish_event/{uuid}/{token}", link)).error?.code).toBe("not_found");
  const remainingEvents = await owner.GET("/api/v1/events/space_uuid/{uuid}", {
    params: { path: { uuid: space.uuid } },
  });
  expect(remainingEvents.data?.map(({ event_name }) => event_name)).toContain("夏の展示");
});
