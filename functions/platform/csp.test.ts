import { describe, expect, it } from "vitest";
import {
  contentSecurityPolicy,
  mayConnectShowcase,
  pageKind,
  securityHeaders,
  withPlainHeaders,
} from "./csp";

describe("contentSecurityPolicy", () => {
  it("lets a viewer be framed and decode meshes, and nothing else run", () => {
    expect(contentSecurityPolicy("viewer", "abc")).toMatchInlineSnapshot(
      `"default-src 'self'; script-src 'self' 'nonce-abc' 'wasm-unsafe-eval'; script-src-attr 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' blob: data: https://my.matterport.com https://my.matterportvr.cn; worker-src 'self' blob:; frame-src 'self' https://my.matterport.com https://my.matterportvr.cn https://embed.figma.com https://embed.nicovideo.jp https://fast.wistia.net https://geo.dailymotion.com https://open.spotify.com https://platform.twitter.com https://player.vimeo.com https://sketchfab.com https://speakerdeck.com https://w.soundcloud.com https://www.loom.com https://www.tiktok.com https://www.youtube-nocookie.com; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors *"`,
    );
  });

  it("keeps every other page out of frames", () => {
    expect(contentSecurityPolicy("app", "abc")).toBe(
      contentSecurityPolicy("viewer", "abc").replace("frame-ancestors *", "frame-ancestors 'none'"),
    );
  });
});

describe("the script of a showcase's SDK", () => {
  it("may run where it is asked for, and changes nothing else", () => {
    const plain = contentSecurityPolicy("viewer", "abc");
    expect(plain).not.toContain("static.matterport.com");
    expect(contentSecurityPolicy("viewer", "abc", null, true)).toBe(
      plain.replace(
        "'wasm-unsafe-eval'",
        "'wasm-unsafe-eval' https://static.matterport.com https://api.matterport.com",
      ),
    );
  });

  it("is asked for with a key alone: of visitors' pages by those with a showcase, and between ours by each", () => {
    const asked = (["app", "link", "framed", "viewer"] as const).map((kind) =>
      [false, true].map((isShown) => mayConnectShowcase(kind, true, isShown)),
    );
    expect(asked).toEqual([
      [true, true],
      [true, true],
      [false, true],
      [false, true],
    ]);
    expect(mayConnectShowcase("app", false, true)).toBe(false);
    expect(mayConnectShowcase("viewer", false, true)).toBe(false);
  });
});

it("lets our own pages alone frame what an owner sees as a visitor", () => {
  expect(contentSecurityPolicy("framed", "abc")).toContain("frame-ancestors 'self'");
  expect(securityHeaders("framed", false)["x-frame-options"]).toBe("SAMEORIGIN");
});

it("tells no other site, and of our own only our pages, an address that holds a token", () => {
  expect(securityHeaders("link", false)["referrer-policy"]).toBe("same-origin");
  expect(securityHeaders("app", false)["referrer-policy"]).toBe("strict-origin-when-cross-origin");
  expect(securityHeaders("link", false)["x-frame-options"]).toBe("DENY");
});

it("keeps browsers to TLS, but for a developer's machine, which has none", () => {
  for (const kind of ["app", "link", "viewer"] as const) {
    expect(securityHeaders(kind, false)["strict-transport-security"]).toBe("max-age=63072000");
    expect(securityHeaders(kind, true)).not.toHaveProperty("strict-transport-security");
  }
});

it("gives what is no page a policy under which nothing of it runs, and keeps what it says itself", async () => {
  const plain = withPlainHeaders(Response.json({ a: 1 }, { status: 201 }), false);
  expect([plain.status, await plain.json()]).toEqual([201, { a: 1 }]);
  expect(Object.fromEntries(plain.headers)).toEqual({
    "content-type": "application/json",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "same-origin",
    "strict-transport-security": "max-age=63072000",
    "x-content-type-options": "nosniff",
  });
  const own = { "content-security-policy": "sandbox", "referrer-policy": "no-referrer" };
  const file = withPlainHeaders(new Response(null, { status: 304, headers: own }), true);
  expect(file.status).toBe(304);
  expect(Object.fromEntries(file.headers)).toEqual({ ...own, "x-content-type-options": "nosniff" });
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
  ])("says what %s is", (path, kind) => expect(pageKind(path)).toBe(kind));
});
