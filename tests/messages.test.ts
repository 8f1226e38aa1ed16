import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { languages } from "~/i18n/languages.server";
import { resources } from "~/i18n/resources.server";
import { findMessageKeys, messagePaths } from "../scripts/lib/build/message-keys";
import { fromRoot } from "../scripts/lib/paths";
import { findMissingNamespaces, namespacesOfRoute, unusedMessages } from "./support/message-use";

const routes = [
  "app/root.tsx",
  ...new Set(
    [...readFileSync(fromRoot("app/routes.ts"), "utf8").matchAll(/"(routes\/[\w./-]+\.tsx)"/g)].map(
      ([, path]) => `app/${path}`,
    ),
  ),
];
/** The namespace that is loaded with every page. */
const ROOT = "shared" as const;
const readDeclaredNamespaces = (path: string) => {
  const list = /^export const handle[^=]*= \{\s*i18n: \[([^\]]*)\]/m.exec(
    readFileSync(fromRoot(path), "utf8"),
  )?.[1];
  return (list?.match(/[\w-]+/g) ?? []) as (keyof typeof resources.en)[];
};

describe("messages", () => {
  it("are all used", () => {
    expect(unusedMessages(resources.en)).toEqual([]);
  });

  it("are found when they are unused", () => {
    expect(unusedMessages({ ...resources.en, shared: { surely: { "not used": "x" } } as never })).toEqual([
      "shared:surely.not used",
    ]);
  });

  it("exist in English for every complete key in the code of the log-in page", () => {
    const code = readFileSync(fromRoot("app/routes/auth/login.tsx"), "utf8");
    const uses = findMessageKeys(code).filter(({ isWhole }) => isWhole);
    expect(uses.length).toBeGreaterThan(3);
    for (const { namespace, path } of uses) {
      const key = `${namespace}:${path}`;
      expect(languages.en.i18n.exists(key) || languages.en.i18n.exists(key, { count: 2 }), key).toBe(true);
    }
  });

  it("have the same placeholders in both languages", () => {
    const listPlaceholders = (text: unknown) => [...new Set(String(text).match(/\{\{\w+\}\}/g) ?? [])].sort();
    for (const namespace of Object.keys(resources.en) as (keyof typeof resources.en)[])
      for (const path of messagePaths(resources.en[namespace])) {
        const messageIn = (lang: "en" | "ja") => languages[lang].i18n.getResource(lang, namespace, path);
        expect(listPlaceholders(messageIn("ja")), `${namespace}:${path}`).toEqual(
          listPlaceholders(messageIn("en")),
        );
      }
  });
});

describe("a route", () => {
  it.each(routes)("%s declares exactly the namespaces that it needs", async (path) => {
    const needed = await namespacesOfRoute(path);
    const declared = readDeclaredNamespaces(path);
    expect(declared.filter((candidate) => candidate !== ROOT).sort()).toEqual(
      needed.filter((candidate) => candidate !== ROOT),
    );
    expect(await findMissingNamespaces(path, [ROOT, ...declared])).toEqual([]);
  });
});
