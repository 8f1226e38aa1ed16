import { beforeEach, expect, it } from "vitest";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
const TOKEN = "z".repeat(43);
let owner: TestUser;
let call: ApiUser;

beforeEach(async () => {
  owner = await testApp.addUser();
  call = await apiUser(testApp, owner);
});

it("reports of an event, a space and an account are served to the owner, a stranger does not find the event's and the space's, and invalid parameters are rejected", async () => {
  const { eventId, space } = await testApp.addSpace(owner);
  await testApp.setEvent(eventId, { statusId: 3, accessToken: TOKEN });
  const paths = [`/v1/events/${eventId}/report`, `/v1/spaces/${space.id}/report`, "/v1/account/report"];
  for (const path of paths)
    expect((await call("GET", `${path}?period=daily`)).json).toMatchObject({
      numbers: { visits: { value: 0, before: 0, change: null }, tag_visitors: { value: 0 } },
      period: { kind: "daily", from: "2026-04-01", to: "2026-04-01", is_running: true },
    });
  expect((await call("GET", `${paths[0]}?period=monthly&at=2026-03-05`)).json.period).toMatchObject({
    from: "2026-03-01",
    to: "2026-03-31",
  });
  expect((await call("GET", `/v1/events/${eventId}/visitors`)).json).toEqual({ live: 0 });
  for (const wrong of ["period=x", "at=2026-02-30", "at=x", "format=xml", "format=csv"])
    expect(await call("GET", `${paths[0]}?${wrong}`), wrong).toMatchObject({
      status: 400,
      json: { errors: [{ field: wrong.split("=")[0] }] },
    });
  expect((await call("GET", `${paths[1]}?format=json`)).status).toBe(200);
  // The file that the page downloads contains the same report.
  const file = await testApp.services.reports.reportFile({
    actor: owner.actor,
    scope: { kind: "event", id: eventId },
    period: "daily",
  });
  expect(JSON.parse(file.text)).toEqual((await call("GET", `${paths[0]}?period=daily`)).json);
  expect((await call("DELETE", `/v1/events/${eventId}/visits`)).json).toEqual({
    status: "success",
    uuid: eventId,
  });
  const stranger = await apiUser(testApp, await testApp.addUser());
  for (const path of [paths[0], paths[1], `/v1/events/${eventId}/visitors`])
    expect((await stranger("GET", path ?? "")).status, path).toBe(404);
  expect((await stranger("DELETE", `/v1/events/${eventId}/visits`)).status).toBe(404);
});
