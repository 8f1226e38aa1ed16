import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { fileHeaders } from "#functions/media/file-headers";
import { fromRoot } from "../../../scripts/lib/paths";
import { demoPassword, demoPublishPassword } from "../../../seed/demo";
import { type Caller, caller, signIn } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { visit } from "../../support/browser/visit";

let owner: Caller;
let admin: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
  admin = await signIn("admin");
});

const visitor = caller();

/** Directives of a response's content security policy. */
function readPolicy(headers: Headers): Map<string, string[]> {
  const policy = headers.get("content-security-policy") ?? "";
  return new Map(
    policy.split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(/\s+/);
      return [name, values];
    }),
  );
}

describe("a page", () => {
  const listPages = (): readonly (readonly [string, Caller, "framed" | "own" | "unframed"])[] => [
    ["/", visitor, "unframed"],
    ["/login?next=/account", visitor, "unframed"],
    ["/space-list", owner, "unframed"],
    [`/space/${demoIds.showroom}?dialog=new`, owner, "unframed"],
    [`/event/${demoIds.mainEvent}`, owner, "unframed"],
    ["/user-list", admin, "unframed"],
    ["/library", owner, "unframed"],
    ["/account", owner, "unframed"],
    [`/event/${demoIds.mainEvent}/as-visitor`, owner, "unframed"],
    [`/event/${demoIds.mainEvent}/as-visitor/page`, owner, "own"],
    ["/nothing", visitor, "unframed"],
    ["/space/unknown", owner, "unframed"],
    // The error page of an event may be framed, because a framed viewer can lead to it.
    [`/error/event/${demoIds.mainEvent}`, visitor, "framed"],
    [demoPath(demoIds.mainEvent), visitor, "framed"],
    // The second response comes from the isolate's cache.
    [demoPath(demoIds.mainEvent), visitor, "framed"],
    [`${demoPath(demoIds.panoramaEvent, "preview")}&tag=x`, visitor, "framed"],
    [demoPath(demoIds.passwordEvent), visitor, "framed"],
  ];

  test("has protective headers, and an enforced policy whose nonce matches its scripts and differs in each response", async () => {
    const nonces = new Set<string>();
    for (const [path, client, framing] of listPages()) {
      const { headers, text } = await client.get(path);
      const policy = readPolicy(headers);
      const scripts = policy.get("script-src") ?? [];
      const nonce = scripts.map((source) => /^'nonce-(.+)'$/.exec(source)?.[1]).find(Boolean) ?? "";
      expect(nonce.length, path).toBeGreaterThanOrEqual(22);
      expect(nonces.has(nonce), path).toBe(false);
      nonces.add(nonce);
      for (const [tag] of text.matchAll(/<script\b[^>]*>/g)) {
        // Browsers do not run this data for search engines, so it needs no nonce.
        if (tag === '<script type="application/ld+json">') continue;
        expect(tag.includes(`nonce="${nonce}"`) || /\bsrc="\//.test(tag), `${path}: ${tag}`).toBe(true);
      }
      expect(scripts).not.toContain("'unsafe-inline'");
      expect(scripts).not.toContain("'unsafe-eval'");
      expect(scripts.filter((source) => /^(https?:|\*|data:|blob:)/.test(source))).toEqual([]);
      expect(policy.get("default-src")).toEqual(["'self'"]);
      expect(policy.get("object-src")).toEqual(["'none'"]);
      expect(policy.get("base-uri")).toEqual(["'none'"]);
      expect(policy.get("form-action")).toEqual(["'self'"]);
      expect(headers.get("content-security-policy-report-only")).toBe(null);
      expect(policy.get("frame-ancestors"), path).toEqual([
        { framed: "*", own: "'self'", unframed: "'none'" }[framing],
      ]);
      expect(headers.get("x-frame-options"), path).toBe(
        { framed: null, own: "SAMEORIGIN", unframed: "DENY" }[framing],
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      // Browsers report violations to the product itself.
      expect([policy.get("report-uri"), policy.get("report-to")]).toEqual([["/csp-report"], ["csp"]]);
      expect(headers.get("reporting-endpoints")).toBe('csp="/csp-report"');
      for (const feature of ["camera", "microphone", "geolocation", "payment", "usb"])
        expect(headers.get("permissions-policy")).toContain(`${feature}=()`);
      expect(headers.get("cache-control"), path).toMatch(/no-store/);
    }
  });

  test("has a policy and protective headers in the response to a form, too", async () => {
    for (const [path, fields] of [
      ["/login", { email: "x", password: "" }],
      ["/login", { email: "owner@demo.example", password: demoPassword }],
      [demoPath(demoIds.passwordEvent), { password: "wrong-password" }],
    ] as const) {
      const { headers } = await caller().post(path, fields);
      expect(headers.get("content-security-policy")).toContain("default-src 'self'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    }
  });
});

describe("a script under /assets", () => {
  const scripts = readdirSync(fromRoot("build", "client", "assets")).filter((name) => name.endsWith(".js"));
  const readPolicyText = async (name: string) =>
    (await visitor.get(`/assets/${name}`)).headers.get("content-security-policy");

  test("may evaluate only WebAssembly when it runs as a worker", async () => {
    const workers = scripts.filter((name) => /worker/i.test(name) && !name.startsWith("basis-worker"));
    expect(workers.some((name) => name.startsWith("gltf-validator"))).toBe(true);
    for (const name of [...workers, scripts.find((other) => other.startsWith("react")) ?? ""]) {
      const policyText = (await readPolicyText(name)) ?? "";
      expect(policyText, name).toContain("default-src 'none'");
      expect(policyText, name).toContain("script-src 'self' 'wasm-unsafe-eval'");
      expect(policyText, name).not.toContain("'unsafe-eval'");
      expect(policyText, name).not.toContain(",");
    }
  });

  test("may evaluate code where it transcodes Basis textures", async () => {
    const basis = scripts.filter((name) => name.startsWith("basis-worker"));
    expect(basis).toHaveLength(1);
    expect(await readPolicyText(basis[0] ?? "")).toBe(
      "default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'self'",
    );
  });
});

describe("a response that is not a page", () => {
  test("forbids browsers to guess its type", async () => {
    const html = (await visitor.get(demoPath(demoIds.mainEvent))).text;
    const script = /src="(\/assets\/[^"]+\.js)"|href="(\/assets\/[^"]+\.js)"/.exec(html);
    const { event } = demoEvent(demoIds.mainEvent);
    for (const path of [
      script?.[1] ?? script?.[2] ?? "",
      "/favicon.svg",
      "/url_params.json",
      "/version.txt",
      "/api/v1/events.json",
      "/api/nothing",
      `/api/fetch_publish_event/${event.id}/${event.accessToken}`,
      `/api/fetch_publish_event/${event.id}/wrong`,
      "/default/user/nothing",
      `/media/${demoIds.owner}`,
      "/space-list",
      "/space-list.data",
      `${demoPath(demoIds.mainEvent).replace("?", ".data?")}`,
    ]) {
      const response = await visitor.fetch(path);
      expect([path, response.headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
      expect([path, response.status < 500]).toEqual([path, true]);
    }
  });

  test("of the API cannot be read or framed by another site's page, and is not cached", async () => {
    for (const path of ["/api/v1/events.json", "/api/v1/spaces.json", "/api/v1/spaces/uuid/x"]) {
      const response = await owner.fetch(path);
      expect(response.headers.get("content-security-policy")).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      );
      expect(response.headers.get("referrer-policy")).toBe("same-origin");
      expect([path, response.headers.get("cache-control")]).toEqual([
        path,
        expect.stringContaining("no-store"),
      ]);
      expect(response.headers.get("access-control-allow-origin")).toBe(null);
    }
  });

  test("with a drawing or a document states who may frame it", async () => {
    const { event } = demoEvent(demoIds.mainEvent);
    for (const [path, client, ancestors] of [
      ["/favicon.svg", visitor, "'none'"],
      [`/event/published/${event.id}/qr?token=${event.accessToken}`, visitor, "*"],
    ] as const) {
      const { headers } = await client.fetch(path);
      expect(headers.get("content-type"), path).toContain("svg");
      expect(readPolicy(headers).get("frame-ancestors"), path).toEqual([ancestors]);
    }
    expect(
      fileHeaders({ mimeType: "application/pdf", fileName: "a.pdf" })["content-security-policy"],
    ).toContain("frame-ancestors 'self'");
    expect(
      fileHeaders({ mimeType: "image/svg+xml", fileName: "a.svg" })["content-security-policy"],
    ).toContain("frame-ancestors 'self'");
  });

  test("with a built script may be cached permanently, because its name depends on its content", async () => {
    const html = (await visitor.get("/login")).text;
    const [path = ""] = /\/assets\/[^"]+\.js/.exec(html) ?? [];
    const response = await visitor.fetch(path);
    expect(response.headers.get("cache-control")).toMatch(/max-age=31536000.*immutable/);
  });
});

describe("pages of other sites", () => {
  test("may frame a viewer, but not the log-in page or a page that does not exist", async () => {
    const server = createServer((request, response) => {
      const src = new URL(request.url ?? "/", "http://x").searchParams.get("src") ?? "";
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(
        `<!doctype html><html lang="en"><head><title>Other</title><link rel="icon" href="data:,"></head><body><iframe title="x" width="800" height="600" src="${src.replaceAll("&", "&amp;")}"></iframe></body></html>`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const otherOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await visit({ lang: "en", embeddingOrigin: otherOrigin }, async ({ page, origin, expectError }) => {
        expectError(/frame-ancestors|X-Frame-Options|chrome-error/);
        const openFramed = async (path: string) => {
          await page.goto(`${otherOrigin}/?src=${encodeURIComponent(origin + path)}`);
          return page.frameLocator("iframe").getByRole("heading", { level: 1 });
        };
        const viewer = await openFramed(demoPath(demoIds.showcaseEvent));
        await viewer.waitFor();
        expect(await viewer.textContent()).toBe("ショーケース見学会");
        for (const path of ["/login", "/", "/nothing"]) {
          const heading = await openFramed(path);
          await page.waitForTimeout(500);
          expect([path, await heading.count()]).toEqual([path, 0]);
        }
      });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe("in production", () => {
  test("cookies are Secure, responses over HTTPS enforce TLS, and the version is not shown", async () => {
    const local = await startFromSnapshot(inject("snapshotFolder"), {
      vars: {
        APP_ENV: "production",
        SECURITY_CONTACT: "safe@hiroba.example",
        HSTS_INCLUDE_SUBDOMAINS: "true",
      },
    });
    try {
      const client = caller(null, local.origin);
      const hostname = "hiroba.example";
      const dispatch = (url: string, init: object = {}) =>
        local.mf.dispatchFetch(url, { redirect: "manual", ...init });
      for (const path of [
        "/login",
        "/nothing",
        "/favicon.svg",
        "/api/v1/events",
        "/media/x",
        "/v/x",
        "/shop-picture/x",
        "/version.txt",
        "/login?_data=x",
      ]) {
        const secureResponse = await dispatch(`https://${hostname}${path}`);
        expect([path, secureResponse.headers.get("strict-transport-security")]).toEqual([
          path,
          // Static files have the headers of public/_headers.
          path === "/favicon.svg" ? "max-age=63072000" : "max-age=63072000; includeSubDomains",
        ]);
        // The local origin has no TLS and is shared with other applications.
        const response = await client.fetch(path);
        expect([path, response.headers.get("strict-transport-security")]).toEqual([path, null]);
        expect([path, response.status]).not.toEqual([path, 308]);
      }
      const plainResponse = await dispatch(`http://${hostname}/login?next=%2Faccount`);
      expect([plainResponse.status, plainResponse.headers.get("location")]).toEqual([
        308,
        `https://${hostname}/login?next=%2Faccount`,
      ]);
      const version = await client.get("/version.txt");
      expect([version.status, version.text]).toEqual([200, "Hiroba\n"]);
      expect((await client.get("/.well-known/security.txt")).text).toContain(
        "Contact: mailto:safe@hiroba.example\n",
      );
      // Without a setting, the contact is the security mailbox at the host of the mail sender.
      expect((await visitor.get("/.well-known/security.txt")).text).toMatch(
        /^Contact: mailto:security@\S+\n/,
      );
      const cookies: string[] = [];
      const login = await client.post("/login?lang=en", {
        email: "owner@demo.example",
        password: demoPassword,
      });
      expect(login.status).toBe(302);
      cookies.push(...login.headers.getSetCookie());
      const ticket = /session-ticket=([^;]+)/.exec(cookies.join("\n"))?.[1] ?? "";
      const ticketResponse = await client.fetch("/api/cas/tickets.json/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "owner@demo.example", password: demoPassword }),
      });
      cookies.push(...ticketResponse.headers.getSetCookie());
      const { event } = demoEvent(demoIds.passwordEvent);
      const passwordResponse = await client.post(
        `/event/published/${event.id}?token=${event.accessToken}&lang=ja`,
        {
          password: demoPublishPassword,
        },
      );
      expect(passwordResponse.status).toBe(302);
      cookies.push(...passwordResponse.headers.getSetCookie());
      const person = caller(ticket, local.origin, undefined, true);
      const page = await person.get("/space-list?lang=en");
      expect(page.status).toBe(200);
      expect(page.visibleText).not.toMatch(/Version/);
      cookies.push(...page.headers.getSetCookie());
      // A ticket under a cookie name that another host of the domain could set is ignored.
      const plantedCookie = { headers: { cookie: `session-ticket=${ticket}` } };
      expect((await client.fetch("/space-list", plantedCookie)).status).toBe(302);
      const logoutResponse = await person.post("/logout", {}, { headers: { origin: local.origin } });
      cookies.push(...logoutResponse.headers.getSetCookie());
      expect(new Set(cookies.map((cookie) => cookie.split("=")[0]?.replace(/-[0-9a-f-]{36}$/, "")))).toEqual(
        new Set(["lang", "__Host-session-ticket", "__Secure-known-browser", "event-auth"]),
      );
      for (const cookie of cookies) {
        expect(cookie).toMatch(/; Secure/);
        expect(cookie).toMatch(/; HttpOnly/);
        const path = /; Path=([^;]+)/.exec(cookie)?.[1];
        if (cookie.startsWith("__Secure-")) expect(path).toMatch(/^\/login(\.data)?$/);
        else expect([cookie, path]).toEqual([cookie, "/"]);
        // A viewer in another site's frame keeps its access cookie only for that site's pages.
        expect(cookie).toMatch(
          cookie.startsWith("event-auth") ? /; SameSite=None; Partitioned/ : /; SameSite=Lax/,
        );
      }

      // Wrong attempts block the account's log-in from their network, but not in a browser in which its owner has logged in.
      const ownerLogin = { email: "owner@demo.example", password: demoPassword };
      for (let i = 0; i < 10; i++) await client.post("/login", { ...ownerLogin, password: "wrong" });
      const knownBrowserCookie = /__Secure-known-browser=[^;]+/.exec(cookies.join("\n"))?.[0] ?? "";
      expect((await client.post("/login", ownerLogin)).status).toBe(429);
      const { origin } = local;
      expect(
        (await client.post("/login", ownerLogin, { headers: { origin, cookie: knownBrowserCookie } })).status,
      ).toBe(302);
    } finally {
      await local.stop();
    }
  });
});
