/** Tests the log-in page and error pages, which are cached by language for callers without a session, and navigation between areas of screens. */
import { describe, expect, test } from "vitest";
import { sessionCookieName } from "../../../app/domain/auth/session";
import { caller, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { visit } from "../../support/browser/visit";

/** A page without the parts that differ between responses: the nonce and the request's id. */
const toComparable = (html: string) =>
  html.replace(/nonce(="|":")[^"]+/g, "").replace(/ data-request="[^"]*"/, "");
async function readPage(path: string, headers: Record<string, string> = {}) {
  const response = await caller().fetch(path, { headers });
  const html = await response.text();
  const names = [...response.headers.keys()].filter(
    (name) => !/^(content-length|transfer-encoding)$/.test(name),
  );
  return {
    status: response.status,
    isCached: !html.includes("data-request="),
    text: toComparable(html),
    names,
    cookies: response.headers.getSetCookie(),
    html,
  };
}
/** A cookie of a session that does not exist, as after its end. With it, a page is rendered for its caller alone. */
const ENDED_SESSION_COOKIE = `${sessionCookieName(false)}=${"x".repeat(43)}`;
const ID = "00000000-0000-4000-8000-000000000000";

describe("a page for callers without a session", () => {
  for (const [path, status] of [
    ["/login", 200],
    ["/", 200],
    [`/error/event/${ID}`, 404],
    [`/error/event/${demoIds.mainEvent}`, 404],
    ["/error/event/unknown", 404],
    ["/wp-login.php", 404],
    [`/${"a".repeat(10_000)}`, 404],
  ] as const)
    test(`equals the rendered one in both languages: ${path.slice(0, 60)}`, async () => {
      for (const [query, cookie] of [
        ["", ""],
        ["?lang=en", ""],
        ["?lang=ja", "lang=en"],
        ["", "lang=en"],
      ] as const) {
        const cached = await readPage(path + query, { cookie });
        const rendered = await readPage(path + query, { cookie: `${cookie}; ${ENDED_SESSION_COOKIE}` });
        expect([cached.isCached, rendered.isCached]).toEqual([true, false]);
        expect([cached.status, rendered.status]).toEqual([status, status]);
        expect(cached.text).toBe(rendered.text);
        expect(cached.cookies).toEqual(rendered.cookies);
        expect(cached.names).toEqual(rendered.names);
      }
    });

  test("has another nonce each time, in the policy and in the page, also for requests at one moment", async () => {
    const nonces = new Set<string>();
    for (const response of await Promise.all(Array.from({ length: 10 }, () => caller().fetch("/login")))) {
      const [, nonce = ""] =
        /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
      const usedNonces = [...(await response.text()).matchAll(/nonce="([^"]+)"/g)].map(([, value]) => value);
      expect(usedNonces.length).toBeGreaterThan(2);
      expect(new Set(usedNonces)).toEqual(new Set([nonce]));
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(10);
  });

  test("is not sent to a session, for a log-in with a target, or for a rejected form", async () => {
    const owner = await signIn("owner");
    const { status, headers } = await owner.get("/login");
    expect([status, headers.get("location")]).toEqual([302, "/space-list"]);
    expect((await owner.get("/wp-login.php")).text).toContain("data-request=");
    const loginWithTarget = await readPage("/login?next=%2Faccount");
    expect([loginWithTarget.status, loginWithTarget.isCached]).toEqual([200, false]);
    expect(loginWithTarget.text).toContain("%2Faccount");
    const rejected = await caller().post("/login", {
      email: "nobody@demo.example",
      password: "wrong password",
    });
    expect(rejected.status).toBe(400);
    expect(rejected.text).toContain("nobody@demo.example");
    expect((await readPage("/login")).text).not.toContain("nobody@demo.example");
  });

  test("contains no markup from its URL, and no text from the URL of another request", async () => {
    for (const id of ['"><script>alert(1)</script>', "'-alert(1)-'", "a\\u0022", "a&b"]) {
      const { status, html } = await readPage(`/error/event/${encodeURIComponent(id)}`);
      expect([id, status]).toEqual([id, 404]);
      expect(html).not.toContain("<script>alert(1)");
      const nextPage = await readPage("/error/event/plain");
      expect(nextPage.html).not.toContain("alert(1)");
      expect(nextPage.html).toContain("/error/event/plain?lang=en");
    }
  });

  test("is not limited for ten thousand different paths", { timeout: 120_000 }, async () => {
    const visitor = caller();
    for (let start = 0; start < 10_000; start += 50) {
      const statuses = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const path = [
            `/probe-${start + index}.php`,
            `/nothing?x=${start + index}`,
            `/error/event/id-${start + index}`,
          ][index % 3];
          return (await visitor.fetch(path ?? "", { method: "HEAD" })).status;
        }),
      );
      // More than the 600 pages that one network may have rendered in a minute.
      expect(new Set(statuses)).toEqual(new Set([404]));
    }
  });

  test("is sent whole for a conditional request, and as headers for HEAD", async () => {
    const page = await readPage("/login");
    const conditionalPage = await readPage("/login", {
      "if-none-match": "*",
      "if-modified-since": new Date().toUTCString(),
    });
    expect([conditionalPage.status, conditionalPage.text]).toEqual([200, page.text]);
    const head = await caller().fetch("/login", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("cache-control")).toContain("no-store");
  });
});

describe("screens of different areas", () => {
  test("are reached from one another without loading a document", async () => {
    const owner = await signIn("owner");
    await visit({ lang: "en", as: owner }, async ({ open, page }) => {
      await open("/space-list");
      await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
      const isSameDocument = () => page.evaluate(() => "isSameDocument" in window);
      await page.locator(`a[href="/space/${demoIds.showroom}"]`).first().click();
      await page.waitForURL(`**/space/${demoIds.showroom}`);
      // Other tests create events in this space, so the demo's event can be on a later page.
      await page.locator('#main a[href^="/event/"]').first().click();
      await page.waitForURL("**/event/*");
      expect(await isSameDocument()).toBe(true);
      await page.goBack();
      await page.goBack();
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect([new URL(page.url()).pathname, await isSameDocument()]).toEqual(["/space-list", true]);
    });
  });

  test("are reached from the cached log-in page without loading a document", () =>
    visit({ lang: "en" }, async ({ open, page }) => {
      await open("/login");
      await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
      await page.locator('a[href="/retrieve-password"]').click();
      await page.waitForURL("**/retrieve-password");
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
    }));

  test("are announced to the browser's router in one response, whatever their area", async () => {
    const { html } = await readPage("/login");
    const [, version = ""] = /"version": "([^"]+)"/.exec(html) ?? [];
    const query = new URLSearchParams([
      ["p", "/space-list"],
      ["p", `/event/${demoIds.mainEvent}`],
      ["p", "/login"],
      ["version", version],
    ]);
    const patches = (await (await caller().fetch(`/__manifest?${query}`)).json()) as object;
    expect(Object.keys(patches)).toEqual(expect.arrayContaining(["space-list", "login"]));
    expect(Object.keys(patches).some((id) => id.includes("editor"))).toBe(true);
  });
});
