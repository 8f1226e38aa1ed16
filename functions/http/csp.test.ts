import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  contentSecurityPolicy,
  mayConnectShowcase,
  pageKind,
  securityHeaders,
  strictTransport,
  withPlainHeaders,
} from "./csp";

const HSTS = "max-age=63072000";

describe("contentSecurityPolicy", () => {
  it("has this text for a viewer, which may be framed and decode meshes", () => {
    expect(contentSecurityPolicy("viewer", "abc")).toMatchInlineSnapshot(
      `"default-src 'self'; script-src 'self' 'nonce-abc' 'wasm-unsafe-eval'; script-src-attr 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' blob: data: https://my.matterport.com https://my.matterportvr.cn; worker-src 'self' blob:; frame-src 'self' https://my.matterport.com https://my.matterportvr.cn https://embed.figma.com https://embed.nicovideo.jp https://fast.wistia.net https://geo.dailymotion.com https://open.spotify.com https://platform.twitter.com https://player.vimeo.com https://sketchfab.com https://speakerdeck.com https://w.soundcloud.com https://www.loom.com https://www.tiktok.com https://www.youtube-nocookie.com; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors *; report-uri /csp-report; report-to csp"`,
    );
  });

  it("forbids framing pages of the kinds app and link", () => {
    for (const kind of ["app", "link"] as const)
      expect(contentSecurityPolicy(kind, "abc")).toBe(
        contentSecurityPolicy("viewer", "abc").replace("frame-ancestors *", "frame-ancestors 'none'"),
      );
  });
});

it("allows pages to show, play and read files of the media host, and nothing else from it", () => {
  const plain = contentSecurityPolicy("viewer", "abc");
  const policy = contentSecurityPolicy("viewer", "abc", null, false, "https://files.test");
  const changedDirectives = policy.split("; ").filter((directive) => !plain.split("; ").includes(directive));
  expect(changedDirectives.map((directive) => directive.split(" ")[0])).toEqual([
    "img-src",
    "media-src",
    "connect-src",
  ]);
  expect(policy.replaceAll(" https://files.test", "")).toBe(plain);
});

describe("the script of a showcase's SDK", () => {
  it("is allowed where it is requested, and changes nothing else", () => {
    const plain = contentSecurityPolicy("viewer", "abc");
    expect(plain).not.toContain("static.matterport.com");
    expect(contentSecurityPolicy("viewer", "abc", null, true)).toBe(
      plain.replace(
        "'wasm-unsafe-eval'",
        "'wasm-unsafe-eval' https://static.matterport.com https://api.matterport.com",
      ),
    );
  });

  it("requires a key, and is then allowed in pages of the kinds app and link, and in other pages with a showcase", () => {
    const showcaseKinds = (["app", "link", "framed", "viewer"] as const).map((kind) =>
      [false, true].map((hasShowcase) => mayConnectShowcase(kind, true, hasShowcase)),
    );
    expect(showcaseKinds).toEqual([
      [true, true],
      [true, true],
      [false, true],
      [false, true],
    ]);
    expect(mayConnectShowcase("app", false, true)).toBe(false);
    expect(mayConnectShowcase("viewer", false, true)).toBe(false);
  });
});

it("lets only our own pages frame an owner's visitor preview", () => {
  expect(contentSecurityPolicy("framed", "abc")).toContain("frame-ancestors 'self'");
  expect(securityHeaders("framed", HSTS)["x-frame-options"]).toBe("SAMEORIGIN");
});

it("hides URLs that contain a token from other sites, and shows them only to our own pages", () => {
  expect(securityHeaders("link", HSTS)["referrer-policy"]).toBe("same-origin");
  expect(securityHeaders("app", HSTS)["referrer-policy"]).toBe("strict-origin-when-cross-origin");
  expect(securityHeaders("link", HSTS)["x-frame-options"]).toBe("DENY");
});

it("has Strict-Transport-Security in pages of each kind, unless its value is null", () => {
  for (const kind of ["app", "link", "framed", "viewer"] as const) {
    expect(securityHeaders(kind, HSTS)["strict-transport-security"]).toBe(HSTS);
    expect(securityHeaders(kind, null)).not.toHaveProperty("strict-transport-security");
  }
});

it("requires TLS of subdomains if the setting says so, and never of this machine", () => {
  const headerAt = (url: string, env: object = {}) => strictTransport(new URL(url), env);
  expect(headerAt("https://hiroba.example/")).toBe(HSTS);
  expect(headerAt("https://hiroba.example/", { HSTS_INCLUDE_SUBDOMAINS: "true" })).toBe(
    `${HSTS}; includeSubDomains`,
  );
  for (const url of ["http://localhost:8787/", "https://localhost/", "http://hiroba.example/"])
    expect(headerAt(url, { HSTS_INCLUDE_SUBDOMAINS: "true" }), url).toBeNull();
  expect(headerAt("https://hiroba.example/", { APP_ENV: "development" })).toBeNull();
});

it("requires TLS by the same header for static files and pages, because browsers apply the last response", () => {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
  const setting = /^HSTS_INCLUDE_SUBDOMAINS = "(.*)"$/m.exec(read("wrangler.toml"))?.[1];
  const [, allPathsHeaders] =
    /^\/\*\n(?: {2}.*\n)*? {2}Strict-Transport-Security: (.+)$/m.exec(read("public/_headers")) ?? [];
  expect(allPathsHeaders).toBe(
    strictTransport(new URL("https://hiroba.example/"), { HSTS_INCLUDE_SUBDOMAINS: setting }),
  );
  expect(read("public/_headers")).toContain("https://localhost/*\n  ! Strict-Transport-Security\n");
});

it("blocks everything in responses that are not pages, and keeps their own headers", async () => {
  const plain = withPlainHeaders(Response.json({ a: 1 }, { status: 201 }), HSTS);
  expect([plain.status, await plain.json()]).toEqual([201, { a: 1 }]);
  expect(Object.fromEntries(plain.headers)).toEqual({
    "content-type": "application/json",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "same-origin",
    "strict-transport-security": "max-age=63072000",
    "x-content-type-options": "nosniff",
  });
  const ownHeaders = { "content-security-policy": "sandbox", "referrer-policy": "no-referrer" };
  const file = withPlainHeaders(new Response(null, { status: 304, headers: ownHeaders }), null);
  expect(file.status).toBe(304);
  expect(Object.fromEntries(file.headers)).toEqual({ ...ownHeaders, "x-content-type-options": "nosniff" });
});

describe("pageKind", () => {
  it.each([
    ["/event/published/1", "viewer"],
    ["/event/preview/1", "viewer"],
    ["/space/3d/1/2", "viewer"],
    ["/event/1", "app"],
    ["/event/1/as-visitor", "app"],
    ["/event/1/as-visitor/page/shop/products/2", "framed"],
    ["/event/1/as-visitor/page/shop.data", "framed"],
    ["/event/1/as-visitor/pages", "app"],
    ["/event/1/as-visitor/page", "framed"],
    ["/event/1/as-visitor/page/x", "app"],
    ["/space/1", "app"],
    ["/login", "app"],
    ["/reset-password", "link"],
    ["/accept-invitation.data", "link"],
    ["/error/event/1", "viewer"],
  ])("classifies %s", (path, kind) => expect(pageKind(path)).toBe(kind));
});
