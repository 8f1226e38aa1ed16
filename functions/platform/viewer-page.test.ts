import { expect, it } from "vitest";
import { plainViewerRequest } from "./viewer-page";

const EVENT = "0b5a4a0c-3c1e-4f8e-9a57-2f6a1c9d0e11";
const ask = (path: string, init?: RequestInit) => {
  const request = new Request(`https://hiroba.example${path}`, init);
  return plainViewerRequest(request, new URL(request.url));
};

it("takes the short way for a visitor's plain read", () => {
  expect(ask(`/event/published/${EVENT}?token=abc`)).toEqual({
    mode: "published",
    eventId: EVENT,
    token: "abc",
  });
  expect(ask(`/event/preview/${EVENT}?lang=en&token=abc`)).toMatchObject({ mode: "preview" });
  expect(
    ask(`/event/published/${EVENT}?token=abc`, { headers: { cookie: "lang=en; session-ticket=t" } }),
  ).not.toBeNull();
});

it("takes the long way for anything else", () => {
  for (const path of [
    `/event/published/${EVENT}`,
    `/event/published/${EVENT}?token=`,
    `/event/published/${EVENT}?token=a&token=b`,
    `/event/published/${EVENT}?token=a&tag=1`,
    `/event/published/not-an-id?token=a`,
    `/event/${EVENT}?token=a`,
    `/space/3d/${EVENT}/abc?token=a`,
  ])
    expect(ask(path), path).toBeNull();
  expect(ask(`/event/published/${EVENT}?token=a`, { method: "POST" })).toBeNull();
});
