import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { afterEach, describe, expect, it, vi } from "vitest";
import { errorMessage } from "#functions/mail/error-message";
import { invalidPanoramaError } from "~/domain/spaces/panorama-shape";
import { languages } from "~/i18n/languages.server";
import type { MessageTree } from "~/i18n/messages";
import { resources } from "~/i18n/resources.server";

afterEach(() => vi.restoreAllMocks());

/** Folders whose message keys reach API callers. */
const FOLDERS = ["functions/services", "functions/api", "functions/http", "functions/security", "app/domain"];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|test-kit/.test(name))
    .map((name) => `${folder}/${name}`),
);

const has = (key: string): boolean => {
  const [namespace = "", path = ""] = key.split(":");
  return typeof languages.en.i18n.getResource("en", namespace, path) === "string";
};

/** Message keys in a file: complete string literals that are keys. */
function keysOf(path: string): string[] {
  const keys: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && /^[a-z-]+:\w+(\.\w+)*$/.test(node.text) && has(node.text))
      keys.push(node.text);
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true));
  return keys;
}

/** The keys of all messages of a group, for keys that are completed at run time. */
const keysBelow = (messages: MessageTree, path: string): string[] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === "string" ? [`${path}.${key}`] : keysBelow(value, `${path}.${key}`),
  );

describe("messages to API callers", () => {
  const keys = [
    ...new Set([
      ...files.flatMap(keysOf),
      ...keysBelow(resources.en.spaces.sources.errors, "spaces:sources.errors"),
    ]),
    ...Object.entries(resources.en).flatMap(([namespace, tree]) =>
      "errors" in tree ? keysBelow(tree.errors, `${namespace}:errors`) : [],
    ),
    ...keysBelow(resources.en.api.services, "api:services"),
  ];

  it("are found in the code and in the groups of errors", () => {
    expect(keys.length).toBeGreaterThan(300);
    expect(keys).toContain("library:errors.upload.pixels");
    expect(keysOf("app/domain/spaces/panorama-shape.ts")).toEqual(["spaces:sources.errors.shape"]);
  });

  it("exist in both languages", () => {
    const missing = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const key of keys) for (const lang of ["en", "ja"] as const) errorMessage(lang)({ key });
    expect(missing.mock.calls.flat()).toEqual([]);
  });

  it("name the panorama that is not twice as wide as high, and state the required shape", () => {
    const shapeError = invalidPanoramaError("Hall", { width: 1024, height: 1000 });
    expect(errorMessage("en")(shapeError)).toMatch(/“Hall”.*1,024 × 1,000 pixels.*twice as wide/);
    expect(errorMessage("ja")(shapeError)).toMatch(/「Hall」.*1,024 × 1,000.*幅が高さの2倍/);
  });

  it("fall back to a general sentence when a message is missing", () => {
    const missing = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(errorMessage("en")({ key: "api:no.such.words" })).toBe(resources.en.api.services.invalid);
    expect(missing).toHaveBeenCalled();
  });
});
