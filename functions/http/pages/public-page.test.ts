import { describe, expect, it } from "vitest";
import { pageAreas } from "../../page-areas";
import { isVisitorPath } from "../../visitor-paths";
import { plainPublicPage } from "./public-page";

const { hasRoute } = pageAreas(
  {
    root: { path: "" },
    start: { parentId: "root" },
    login: { path: "login", parentId: "root" },
    passkey: { path: "login/passkey", parentId: "root" },
    shell: { parentId: "root" },
    space: { path: "space/:spaceUuid", parentId: "shell" },
    closed: { path: "error/event/:uuid", parentId: "root" },
    lost: { path: "*", parentId: "root" },
  },
  isVisitorPath,
);
const pageOf = (path: string, method = "GET") =>
  plainPublicPage({ method }, new URL(`https://hiroba.example${path}`), hasRoute);
const ID = "e7164ef5-4a69-4a71-8467-8b1014488db5";

describe("a page for callers without a session", () => {
  it("is the log-in page, without parameters other than the language", () => {
    expect(pageOf("/login")).toEqual({ path: "/login", segment: null });
    expect(pageOf("/?lang=en", "HEAD")).toEqual({ path: "/", segment: null });
    for (const path of ["/login?next=%2Faccount", "/login?toast=logged-out", "/login/", "/login/passkey"])
      expect(pageOf(path), path).toBeNull();
    expect(pageOf("/login", "POST")).toBeNull();
  });

  it("is the page of a closed event's link, and contains the id from the URL", () => {
    expect(pageOf(`/error/event/${ID}?lang=ja`)).toEqual({ path: "/error/event/", segment: ID });
    expect(pageOf("/error/event/unknown")).toEqual({ path: "/error/event/", segment: "unknown" });
    for (const path of [
      `/error/event/${ID}?link=sealed`,
      `/error/event/${ID}?x=1`,
      "/error/event/%3Cscript%3E",
      "/error/event/a'b",
      `/error/event/${"a".repeat(65)}`,
      `/error/event/${ID}.data`,
      "/error/event/",
    ])
      expect(pageOf(path), path).toBeNull();
  });

  it("is one page for all paths without a route", () => {
    for (const path of [
      "/wp-login.php",
      "/nothing/at/all?x=1",
      "/.env",
      `/${"a".repeat(10_000)}`,
      "/%E5%BA%83",
    ])
      expect(pageOf(path), path.slice(0, 20)).toEqual({ path: "/not-found", segment: null });
  });

  it("does not exist for a path that may have a route, also in other spellings", () => {
    for (const path of [
      "/space/x",
      "/SPACE/x",
      "/%73pace/x",
      "/space%2Fx",
      "/Login",
      "//login",
      "//nothing",
      "/nothing.data",
      "/__manifest",
      "/error",
    ])
      expect(pageOf(path), path).toBeNull();
  });
});
