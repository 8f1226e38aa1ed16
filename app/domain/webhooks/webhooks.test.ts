import { describe, expect, it } from "vitest";
import { createWebhookSchema, readEndpointUrl, writeTarget } from "./webhook.schema";
import { afterAttempt, FAILING_DAYS, RETRY_SECONDS, webhookStatus } from "./webhooks";

const NOW = Date.parse("2026-04-01T00:00:00.000Z");
const ago = (days: number) => new Date(NOW - days * 86_400_000).toISOString();
const failure = { outcome: "answer", status: 500 } as const;

describe("after an attempt", () => {
  it("that was delivered, the webhook is not failing", () => {
    expect(afterAttempt({ outcome: "delivered", status: 204 }, 7, ago(9), NOW)).toEqual({
      state: "delivered",
      nextAt: null,
      failingSince: null,
      disables: null,
    });
  });

  it("that failed, the interval to the next one grows, until the last one was made", () => {
    const nextTimes = RETRY_SECONDS.map((_, index) => afterAttempt(failure, index + 1, null, NOW).nextAt);
    expect(nextTimes).toEqual(RETRY_SECONDS.map((seconds) => NOW + seconds * 1000));
    expect([...RETRY_SECONDS].sort((a, b) => a - b)).toEqual(RETRY_SECONDS);
    expect(afterAttempt(failure, RETRY_SECONDS.length + 1, null, NOW)).toMatchObject({
      state: "failed",
      nextAt: null,
      failingSince: ago(0),
    });
  });

  it.each([
    [1, ago(99), null],
    [RETRY_SECONDS.length + 1, null, null],
    [RETRY_SECONDS.length + 1, ago(FAILING_DAYS - 0.1), null],
    [RETRY_SECONDS.length + 1, ago(FAILING_DAYS), "failing"],
  ])("number %i, failing since %s, a webhook is disabled: %s", (attempts, since, disables) => {
    expect(afterAttempt(failure, attempts, since, NOW).disables).toBe(disables);
  });

  it("that was answered with 410, the webhook is disabled immediately", () => {
    expect(afterAttempt({ outcome: "answer", status: 410 }, 1, null, NOW)).toMatchObject({
      state: "failed",
      disables: "gone",
    });
  });
});

describe("a webhook", () => {
  it.each([
    [null, null, "active"],
    [null, ago(1), "failing"],
    ["paused", ago(1), "paused"],
    ["failing", ago(1), "stopped"],
    ["gone", null, "stopped"],
  ] as const)("disabled as %s, failing since %s, is %s", (disabledWhy, failingSince, status) => {
    expect(webhookStatus({ disabledWhy, failingSince })).toBe(status);
  });

  it.each([
    ["https://a.example.com/hook?x=https://b#c", "https://a.example.com/hook?x=https://b"],
    [" https://A.example.com ", "https://a.example.com/"],
    ["HTTPS://a.example.com:443/", "https://a.example.com/"],
  ])("accepts the URL %s as %s", (url, value) => {
    expect(readEndpointUrl(url)).toEqual({ value });
  });

  it.each([
    ["", "webhooks:errors.webhook.urlRequired"],
    [null, "webhooks:errors.webhook.urlRequired"],
    [7, "shared-owners:errors.field.invalid"],
    ["http://a.example.com/", "webhooks:errors.webhook.https"],
    ["a.example.com", "webhooks:errors.webhook.https"],
    ["ftp://a.example.com/", "webhooks:errors.webhook.https"],
    ["https://a b.example.com/", "webhooks:errors.webhook.url.invalid"],
    ["https://u:p@a.example.com/", "webhooks:errors.webhook.url.credentials"],
    ["https://10.0.0.1/", "webhooks:errors.webhook.url.host"],
    ["https://[fd00::1]/", "webhooks:errors.webhook.url.host"],
    ["https://router.lan/", "webhooks:errors.webhook.url.host"],
    ["https://a.example.com:8443/", "webhooks:errors.webhook.url.host"],
    [`https://a.example.com/${"x".repeat(1000)}`, "webhooks:errors.webhook.url.tooLong"],
  ])("does not accept the URL %s", (url, error) => {
    expect(readEndpointUrl(url)).toEqual({ error });
  });

  const id = "11111111-1111-4111-8111-111111111111";
  const parseWebhook = (fields: Record<string, unknown>) =>
    createWebhookSchema().safeParse({ id, url: "https://a.example.com/", types: "event.closed", ...fields });

  it("is for all events, for one space or for one event, according to its form", () => {
    expect(parseWebhook({}).data).toMatchObject({ types: ["event.closed"], target: { kind: "all" } });
    expect(parseWebhook({ target: `event~${id}` }).data?.target).toEqual({ kind: "event", id });
    for (const target of [{ kind: "all" }, { kind: "space", id }] as const)
      expect(parseWebhook({ target: writeTarget(target) }).data?.target).toEqual(target);
  });

  it.each([
    [{ types: [] }, "webhooks:errors.webhook.types"],
    [{ types: undefined }, "webhooks:errors.webhook.types"],
    [{ types: ["event.bought"] }, "shared-owners:errors.field.invalid"],
    [{ types: "webhook.test" }, "shared-owners:errors.field.invalid"],
    [{ target: "space~x" }, "webhooks:errors.webhook.target"],
    [{ target: `user~${id}` }, "webhooks:errors.webhook.target"],
    [{ target: ["all"] }, "webhooks:errors.webhook.target"],
  ])("rejects %j", (fields, message) => {
    expect(parseWebhook(fields).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
