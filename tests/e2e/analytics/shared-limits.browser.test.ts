/** Tests that two isolates of the web worker count against one limit (decision 095). The tests set the clock of both, so that they stay in one minute. */
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ATTEMPT_LIMITS } from "#functions/security/attempt-limiter";
import { INVALID_TOKENS_MAX } from "#functions/security/invalid-token-throttle";
import { NETWORK_RENDERS } from "#functions/security/render-limit";
import { NETWORK_VISITS } from "#functions/security/visit-rate-limiter";
import { type Worker, workerWithoutFileRouter } from "../../../bench/bench-environment";
import { ENTRY, workerModules } from "../../../scripts/lib/build/worker-modules";
import { demoLink } from "../../../scripts/lib/local/demo-links";
import { localOptions } from "../../../scripts/lib/local/local-product";
import { demoIds } from "../../../seed/demo";
import { flushRoom } from "../../support/app/rooms";

const ISOLATES = 2;
/** Requests that each isolate receives in a second of the test's clock. */
const PER_SECOND = 40;
/** The test's clock stays in this minute. */
const MINUTE_START = Math.floor(Date.now() / 60_000) * 60_000;

/** A web worker whose clock is set by a header. */
const WEB = `
import product from "./${ENTRY}";
export * from "./${ENTRY}";
let time = ${MINUTE_START};
Date.now = () => time;
export default {
  fetch(request, env, ctx) {
    time = Number(request.headers.get("x-test-time"));
    return product.fetch(request, env, ctx);
  },
};`;
/** The rooms worker with a clock that stands still. */
const ROOMS = `
Date.now = () => ${MINUTE_START};
export * from "./${ENTRY}";
export { default } from "./${ENTRY}";`;

let state: string;
let mf: Miniflare;
let origins: readonly string[];

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "hiroba-limits-"));
  cpSync(inject("snapshotFolder"), state, { recursive: true });
  const options = localOptions({ port: 0, state, onLog: () => {} }) as unknown as {
    workers: [Worker & { modulesRoot: string }, Worker & { modulesRoot: string }];
  };
  const withEntry = (worker: Worker & { modulesRoot: string }, contents: string) => ({
    ...worker,
    ...workerModules(worker.modulesRoot, { name: "clock.js", contents }),
  });
  const web = withEntry(options.workers[0], WEB);
  const isolates = [web, workerWithoutFileRouter(web, "isolate")];
  const workers = [...isolates, withEntry(options.workers[1], ROOMS)];
  mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  await mf.ready;
  origins = await Promise.all(isolates.map(async ({ name }) => (await mf.unsafeGetDirectURL(name)).origin));
});

afterAll(async () => {
  await mf.dispose();
  rmSync(state, { recursive: true, force: true });
});

/**
 * Sends the requests of one network to both isolates in turn.
 * @param inGroups sends all requests of a second at once, and then sets the clock to the next second
 * @returns the statuses in their order
 */
async function sendAll(
  count: number,
  ipAddress: string,
  requestOf: (index: number, origin: string) => readonly [path: string, init?: RequestInit],
  { inGroups = false } = {},
): Promise<readonly number[]> {
  const statuses: number[] = [];
  const size = inGroups ? PER_SECOND * ISOLATES : 1;
  for (let start = 0; start < count; start += size) {
    const group = Array.from({ length: size }, async (_, index) => {
      const origin = origins[(start + index) % ISOLATES] ?? "";
      const [path, init] = requestOf(start + index, origin);
      const time = MINUTE_START + (inGroups ? (start / size) * 1000 : 0);
      const headers = { "cf-connecting-ip": ipAddress, "x-test-time": `${time}`, ...init?.headers };
      const response = await fetch(`${origin}${path}`, { redirect: "manual", ...init, headers });
      await response.arrayBuffer();
      return response.status;
    });
    statuses.push(...(await Promise.all(group)));
  }
  return statuses;
}

const countAdmitted = (statuses: readonly number[]) => statuses.indexOf(429);
const form = (fields: Readonly<Record<string, string>>, origin: string): RequestInit => ({
  method: "POST",
  headers: { origin },
  body: new URLSearchParams(fields),
});

// `place` is the limit of one network, and `subject` that of one account.
test("guesses of a link's token are counted together", async () => {
  const path = (index: number) =>
    [`/api/fetch_publish_event/${demoIds.passwordEvent}/guess-${index}`] as const;
  const statuses = await sendAll(ATTEMPT_LIMITS.place + 4, "10.5.0.1", path);
  expect(countAdmitted(statuses)).toBe(ATTEMPT_LIMITS.place);
  expect(new Set(statuses.slice(ATTEMPT_LIMITS.place))).toEqual(new Set([429]));
});

// A wrong secret is counted after it was checked, so each isolate checks one more than the limit.
test("guesses of a publish password are counted together", async () => {
  const path = demoLink("", "published", demoIds.passwordEvent);
  const guess = (index: number, origin: string) =>
    [path, form({ password: `guess-${index}` }, origin)] as const;
  const statuses = await sendAll(ATTEMPT_LIMITS.place + ISOLATES + 4, "10.5.0.2", guess);
  expect(countAdmitted(statuses)).toBe(ATTEMPT_LIMITS.place + ISOLATES);
});

test("wrong passwords of an account are counted together", async () => {
  const guess = (index: number, origin: string) =>
    ["/login", form({ email: "hayashi@demo.example", password: `guess-${index}` }, origin)] as const;
  const statuses = await sendAll(ATTEMPT_LIMITS.subject + ISOLATES + 4, "10.5.0.3", guess);
  expect(countAdmitted(statuses)).toBe(ATTEMPT_LIMITS.subject + ISOLATES);
});

test("guesses of an API token are counted together", async () => {
  const guess = () =>
    [
      "/api/v1/folders",
      { headers: { authorization: `Bearer ${randomBytes(32).toString("base64url")}` } },
    ] as const;
  const statuses = await sendAll(2 * INVALID_TOKENS_MAX, "10.5.0.6", guess, { inGroups: true });
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  const checked = statuses.filter((status) => status === 401).length;
  expect(checked).toBeGreaterThanOrEqual(INVALID_TOKENS_MAX);
  // An isolate learns of the other one's guesses with its next guess. Those of one group are checked at the same time.
  expect(checked).toBeLessThanOrEqual(INVALID_TOKENS_MAX + 2 * PER_SECOND * ISOLATES);
});

test("rendered pages are counted together", async () => {
  const count = 2 * NETWORK_RENDERS.max;
  const statuses = await sendAll(count, "10.5.0.4", () => ["/retrieve-password?lang=en"], { inGroups: true });
  const rendered = statuses.filter((status) => status === 200).length;
  expect(rendered).toBeGreaterThanOrEqual(NETWORK_RENDERS.max);
  // An isolate learns of the other one's pages after a second.
  expect(rendered).toBeLessThanOrEqual(NETWORK_RENDERS.max + PER_SECOND * ISOLATES);
});

test("visits are counted together", async () => {
  // All reports come from a few visitors, so they are counted by their time: one second each.
  const readSeconds = async () => {
    await flushRoom({ mf }, demoIds.mainEvent);
    const db = await mf.getD1Database("DB", "hiroba");
    const sum =
      "SELECT coalesce(sum(seconds), 0) AS n FROM visit_totals WHERE event_id = ? AND grain = 'year'";
    return (await db.prepare(sum).bind(demoIds.mainEvent).first<number>("n")) ?? 0;
  };
  const secondsBefore = await readSeconds();
  const { search } = new URL(demoLink("http://localhost", "published"));
  const reportVisit = (index: number) => {
    const visit = randomBytes(16).toString("hex");
    // A device may send fewer reports than a network.
    const version = 100 + (Math.floor(index / ISOLATES) % 50);
    return [
      `/v/${demoIds.mainEvent}${search}`,
      {
        method: "POST",
        headers: {
          "user-agent": `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${version}.0.0.0 Safari/537.36`,
        },
        body: JSON.stringify({ visit, part: 0, from: "", things: [], stays: [{ place: "", seconds: 1 }] }),
      },
    ] as const;
  };
  const statuses = await sendAll(2 * NETWORK_VISITS.max, "10.5.0.5", reportVisit, { inGroups: true });
  expect(new Set(statuses)).toEqual(new Set([204]));
  const newSeconds = (await readSeconds()) - secondsBefore;
  expect(newSeconds).toBeGreaterThanOrEqual(NETWORK_VISITS.max);
  expect(newSeconds).toBeLessThanOrEqual(NETWORK_VISITS.max + PER_SECOND * ISOLATES);
});
