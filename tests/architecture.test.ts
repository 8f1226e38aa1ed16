import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { fromRoot } from "../scripts/lib/paths";
import {
  findBrokenRules,
  findImportCycles,
  findImports,
  type ProjectFile,
  resolveSpecifier,
} from "./support/architecture-rules";
import {
  DOCUMENTED_PATHS,
  findLazyRegions,
  findMisnamedFile,
  findRepeatedExports,
  findUndocumentedExports,
  findUntranslatedText,
} from "./support/source-text-rules";

/** Timeout for parsing all sources, in milliseconds. It takes a second on an idle machine, and much longer on a busy one. */
const ALL_SOURCES_MS = 60_000;

const readSources = (folders: readonly string[]): readonly ProjectFile[] =>
  folders.flatMap((folder) =>
    readdirSync(fromRoot(folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.includes("/node_modules/"))
      .map((path) => ({ path, text: readFileSync(fromRoot(path), "utf8") })),
  );
/** The product's code. The limits for files and folders also apply to the code that builds, fills, measures and tests it. */
const sources = readSources(["app", "functions"]);
const allSources = [...sources, ...readSources(["bench", "scripts", "seed", "tests", "tools"])];

test("docs/operations.md names every message that rooms log", () => {
  const operations = readFileSync(fromRoot("docs", "operations.md"), "utf8");
  const messages = sources
    .filter(({ path }) => path.startsWith("functions/rooms/") && !path.endsWith(".test.ts"))
    .flatMap(({ text }) => [
      ...text.matchAll(
        /(?:#warn\(|#logFailure\(|writeError\(|log\("\w+", |isShard \? |: |\[)"([a-z]+ [a-zA-Z0-9 ]+)"/g,
      ),
    ])
    .map(([, message]) => message);
  expect(messages).toEqual(
    expect.arrayContaining(["room is full", "shard not merged", "alarm not computed", "statuses not stored"]),
  );
  expect(messages.filter((message) => !operations.includes(`\`${message}\``))).toEqual([]);
});

describe("the check of imports", () => {
  test("finds no forbidden import", { timeout: ALL_SOURCES_MS }, () => {
    expect(sources.length).toBeGreaterThan(150);
    expect(findBrokenRules(sources)).toEqual([]);
  });

  test("finds no cycles", { timeout: ALL_SOURCES_MS }, () => {
    expect(findImportCycles(sources)).toEqual([]);
  });

  test("finds the files of a cycle", () => {
    const file = (name: string, ...imports: string[]) => ({
      path: `app/domain/${name}.ts`,
      text: imports.map((imported) => `import { ${imported} } from "./${imported}";`).join("\n"),
    });
    const files = [file("a", "b"), file("b", "c"), file("c", "b", "d"), file("d")];
    expect(findImportCycles(files)).toEqual(["app/domain/b", "app/domain/c"]);
  });

  test("finds cycles of type imports and dynamic imports", () => {
    const files = [
      { path: "app/domain/a/index.ts", text: `import type { b } from "../b";` },
      { path: "app/domain/b.ts", text: `const load = () => import("./a");` },
    ];
    expect(findImportCycles(files)).toEqual(["app/domain/a", "app/domain/b"]);
  });

  /** Rules, each with an import that it must reject and a similar one that it must accept. */
  const cases: readonly (readonly [rule: string, path: string, bad: string, good: string])[] = [
    [
      "domain imports only itself and zod",
      "app/domain/x.ts",
      `import { t } from "~/i18n/i18n";`,
      `import * as z from "zod";`,
    ],
    [
      "domain knows no React",
      "app/domain/x.ts",
      `import { useId } from "react";`,
      `import { isSid } from "./sid";`,
    ],
    [
      "components know no forms",
      "app/components/x.tsx",
      `import { words } from "../forms/words";`,
      `import { Icon } from "./icon";`,
    ],
    [
      "components know no functions, not even their types",
      "app/components/x.tsx",
      `import type { Clock } from "#functions/services/shared/ports";`,
      `import type { Lang } from "~/domain/shared/model";`,
    ],
    [
      "components load nothing",
      "app/components/x.tsx",
      `import { data } from "@remix-run/cloudflare";`,
      `import { Link } from "@remix-run/react";`,
    ],
    [
      "Headless UI stays in the parts that are fetched later",
      "app/components/x.tsx",
      `import { Menu } from "@headlessui/react";`,
      `import { useRef } from "react";`,
    ],
    [
      "parts with Headless UI are fetched when they are needed",
      "app/components/x.tsx",
      `import { EnhancedMenu } from "./menu.client";`,
      `const menu = import("./menu.client");`,
    ],
    [
      "forms know no routes",
      "app/forms/x.tsx",
      `import { uuidParam } from "~/routes/shared/uuid-param";`,
      `import { TextField } from "~/components/fields/text-field";`,
    ],
    [
      "forms know no viewer",
      "app/forms/x.tsx",
      `export { Viewer } from "~/viewer/Viewer";`,
      `import { t } from "~/i18n/use-translation";`,
    ],
    [
      "the editor's engine knows no React",
      "app/features/content/editor/x.ts",
      `import { useState } from "react";`,
      `import type { Uuid } from "~/domain/shared/model";`,
    ],
    [
      "the editor's engine knows no screens",
      "app/features/content/editor/x.ts",
      `import { createBrowserPorts } from "~/routes/content/editor/browser-ports.client";`,
      `import { same } from "./content";`,
    ],
    [
      "the viewer's core is pure",
      "app/viewer/core/x.ts",
      `import { useRef } from "react";`,
      `import type { Vec3 } from "~/domain/shared/model";`,
    ],
    [
      "the viewer knows no components",
      "app/viewer/x.tsx",
      `import { Icon } from "~/components/icon";`,
      `import { clampPitch } from "./core/angles";`,
    ],
    [
      "three stays in adapters",
      "app/viewer/x.tsx",
      `import { Vector3 } from "three";`,
      `import type { Vector3 } from "three";`,
    ],
    [
      "three stays in adapters, its parts too",
      "app/viewer/core/x.ts",
      `import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";`,
      `import { add } from "./vec";`,
    ],
    [
      "three stays in client files",
      "app/viewer/shared/x.ts",
      `import { Vector3 } from "three";`,
      `import { add } from "../core/vec";`,
    ],
    [
      "adapters are fetched when they are needed",
      "app/viewer/x.tsx",
      `import { createModelViewer } from "./model/model-viewer.client";`,
      `const load = () => import("./model/model-viewer.client");`,
    ],
    [
      "adapters know no React",
      "app/viewer/shared/x.client.ts",
      `import { useRef } from "react";`,
      `import { Scene } from "three";`,
    ],
    [
      "routes import only the component Viewer of the viewer",
      "app/routes/x.tsx",
      `import { wrapAngle } from "~/viewer/core/angles";`,
      `import { Viewer } from "~/viewer/Viewer";`,
    ],
    [
      "code that draws documents stays in client files",
      "app/features/library/reader/x.tsx",
      `import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";`,
      `const late = () => import("./pdf.client");`,
    ],
    [
      "routes import only the component DocumentLink of the reader",
      "app/routes/x.tsx",
      `const late = () => import("~/features/library/reader/pdf.client");`,
      `import { DocumentLink } from "~/features/library/reader/DocumentLink";`,
    ],
    [
      "uploads know no screens",
      "app/features/library/uploads/x.tsx",
      `import type { loader } from "~/routes/shared/shell";`,
      `import { Button } from "~/components/button";`,
    ],
    [
      "uploads import only the thumbnails of the viewer",
      "app/features/library/uploads/x.ts",
      `const view = () => import("~/viewer/Viewer");`,
      `const thumbnail = () => import("~/viewer/thumbnail");`,
    ],
    [
      "routes import only the entry components of uploads",
      "app/routes/x.tsx",
      `import { currentQueue } from "~/features/library/uploads/current-queue";`,
      `import { Uploader } from "~/features/library/uploads/uploader";`,
    ],
    [
      "routes import only types from functions",
      "app/routes/x.tsx",
      `import { NotFoundError } from "#functions/services/shared/errors";`,
      `import type { Services } from "#functions/services";`,
    ],
    [
      "routes do not load functions with import() either",
      "app/routes/x.tsx",
      `const late = () => import("#functions/data/events/events");`,
      `import { type Services } from "#functions/services";`,
    ],
    [
      "the app's own files import only types from functions",
      "app/root.tsx",
      `import { log } from "../functions/http/log";`,
      `type Context = import("../functions/request-context").RequestContext;`,
    ],
    [
      "services import only types from data",
      "functions/services/x.ts",
      `import { repositories } from "../data/repositories";`,
      `import type { Repositories } from "../data/repositories";`,
    ],
    [
      "services import nothing from http",
      "functions/services/x.ts",
      `import { log } from "#functions/http/log";`,
      `import type { Clock } from "./ports";`,
    ],
    [
      "services use no package",
      "functions/services/x.ts",
      `import { sql } from "drizzle-orm";`,
      `import { AppError } from "./errors";`,
    ],
    [
      "data imports only types from services",
      "functions/data/x.ts",
      `import { NotFoundError } from "../services/errors";`,
      `import type { EventInSpace } from "../services/ports";`,
    ],
    [
      "data imports nothing from security",
      "functions/data/x.ts",
      `import { makeNonce } from "../security/random";`,
      `import { sql } from "drizzle-orm";`,
    ],
    [
      "media knows no data",
      "functions/media/x.ts",
      `import { db } from "../data/db";`,
      `import { readRange } from "./range-request";`,
    ],
    [
      "the store client imports nothing from http",
      "functions/storefront/x.ts",
      `import { log } from "../http/log";`,
      `import { readStoreUrl } from "~/domain/store/store-url";`,
    ],
    [
      "http imports only types from services",
      "functions/http/x.ts",
      `import { eventAccess } from "../services/visitors/event-access";`,
      `import type { RateLimiter } from "../services/ports";`,
    ],
    [
      "mail imports only types from services",
      "functions/mail/x.ts",
      `import { sendEmail } from "#functions/services/auth/mail-links";`,
      `import { mail } from "~/i18n/en/mail";`,
    ],
    [
      "the API knows no data",
      "functions/api/x.ts",
      `import { schema } from "#functions/data/schema";`,
      `import { InvalidError } from "#functions/services/shared/errors";`,
    ],
    [
      "the API knows no screens",
      "functions/api/x.ts",
      `import { Icon } from "~/components/icon";`,
      `import { isUuid } from "~/domain/shared/ids";`,
    ],
    [
      "functions import only the domain of the app",
      "functions/worker.ts",
      `import { t } from "~/i18n/i18n";`,
      `import * as build from "#build";`,
    ],
    [
      "tests beside the app's code import only types from functions",
      "app/routes/x.test.ts",
      `import { lock } from "#functions/security/seal-text";`,
      `import type { AuditRow } from "#functions/services/users/user-ports";`,
    ],
    [
      "the product imports no seed, no tests and no scripts",
      "app/domain/x.ts",
      `import { demoIds } from "../../seed/demo";`,
      `import type { Uuid } from "./model";`,
    ],
  ];
  test.each(cases)("%s", (_rule, path, bad, good) => {
    expect(findBrokenRules([{ path, text: bad }])).toHaveLength(1);
    expect(findBrokenRules([{ path, text: good }])).toEqual([]);
  });

  test("finds value, type and dynamic imports, and none in texts or comments", () => {
    const text = `
      import a from "./a"; import * as b from "../b"; import "c"; export * from "~/d"; export { e } from "#functions/e";
      import type { F } from "./f"; import { type G } from "./g"; import { type H, h } from "./h"; export type { I } from "./i";
      const j = await import("./j"); type K = import("./k").K; const l = "import('./no')"; // import "./never"
    `;
    expect(findImports({ path: "app/x/y.ts", text }).map(({ target, kind }) => `${kind} ${target}`)).toEqual([
      "value app/x/a",
      "value app/b",
      "value c",
      "value app/d",
      "value functions/e",
      "type app/x/f",
      "type app/x/g",
      "value app/x/h",
      "type app/x/i",
      "dynamic app/x/j",
      "type app/x/k",
    ]);
    expect(resolveSpecifier("app/routes/x.tsx", "../../functions/data/db")).toBe("functions/data/db");
  });
});

describe("user-visible texts", () => {
  test("are only in app/i18n and in the templates of events", { timeout: ALL_SOURCES_MS }, () => {
    expect(sources.flatMap(findUntranslatedText)).toEqual([]);
  });

  test.each([
    ["a text in JSX", `const a = <p>Log in</p>;`],
    ["a text in braces", `const a = <p>{"Log in"}</p>;`],
    ["a spoken attribute", `const a = <img alt="A house" src={src} />;`],
    ["Japanese anywhere", `const a = "広場";`],
    ["Japanese before values", ["const a = `全$", "{count}`;"].join("")],
  ])("are detected as %s", (_what, text) => {
    expect(findUntranslatedText({ path: "app/routes/x.tsx", text })).toHaveLength(1);
    expect(findUntranslatedText({ path: "app/i18n/ja/x.ts", text })).toEqual([]);
  });

  test("are not detected where there are none", () => {
    const text = `// 広場 is the brand\nconst a = <p className="text-sm">{t("auth.title")} – {count} / 3</p>;`;
    expect(findUntranslatedText({ path: "app/routes/x.tsx", text })).toEqual([]);
  });
});

describe("live regions", () => {
  test("have no class that hides them while they are empty", { timeout: ALL_SOURCES_MS }, () => {
    expect(sources.flatMap(findLazyRegions)).toEqual([]);
  });

  test.each([
    [1, `const a = <p role="status" className="text-sm empty:hidden">{said}</p>;`],
    [
      1,
      `const a = <div role={live ? undefined : "alert"} className={cx("grid", !said && "empty:hidden")} />;`,
    ],
    [0, `const a = <p role="status" className="empty:sr-only"><b className="empty:hidden" /></p>;`],
  ])("are reported only if a class hides them while they are empty (%i here)", (count, text) => {
    expect(findLazyRegions({ path: "app/routes/x.tsx", text })).toHaveLength(count);
  });
});

describe("exports in the folders of DOCUMENTED_PATHS", () => {
  test("all have a doc comment", { timeout: ALL_SOURCES_MS }, () => {
    const unguarded = DOCUMENTED_PATHS.filter(
      (folder) => !sources.some(({ path }) => path.startsWith(folder)),
    );
    expect(unguarded).toEqual([]);
    expect(sources.flatMap(findUndocumentedExports)).toEqual([]);
  });

  const own = "/** Own. */\n";
  const undocumentedExports: readonly (readonly [what: string, text: string])[] = [
    ["a function", "export function f() {}"],
    ["an asynchronous function", "export async function f() {}"],
    ["a value", "export const a = 1;"],
    ["a type", "export type A = string;"],
    ["an interface", "export interface A {}"],
    ["a class", "export class A {}"],
    ["a default", "export default class {}"],
    ["a value as the default", "export default 1;"],
    ["a value that a later statement exports", `const a = 1;\n${own}export { a as b };`],
    ["an export directly after a documented one", `${own}export type A = string;\nexport type B = string;`],
    ["a file's first export under the file's own comment", `${own}\nexport type A = string;`],
    ["an export with another kind of comment", "// Not this.\nexport const a = 1;"],
    ["an export with an empty comment", "/** */\nexport const a = 1;"],
  ];
  test.each(undocumentedExports)("are reported without one: %s", (_what, text) => {
    expect(findUndocumentedExports({ path: "functions/services/x.ts", text })).toHaveLength(1);
    expect(findUndocumentedExports({ path: "functions/services/x.test.ts", text })).toEqual([]);
    expect(findUndocumentedExports({ path: "app/components/x.tsx", text })).toEqual([]);
  });

  test.each([
    ["in one line", `${own}export const a = 1;`],
    [
      "in several lines, above a comment for a tool",
      "/**\n * Why.\n */\n// biome-ignore lint: x\nexport class A {}",
    ],
    ["where it is declared", `${own}const a = 1;\nexport { a };`],
    [
      "in the file that it comes from",
      `export { a } from "./a";\nexport * from "./b";\nexport type { C } from "./c";`,
    ],
    ["nowhere when it is not exported", "const a = 1;\nexport {};"],
  ])("may have the doc comment %s", (_how, text) => {
    expect(findUndocumentedExports({ path: "app/domain/x.ts", text })).toEqual([]);
  });
});

describe("routes", () => {
  test("and the parts of their screens have at most 200 lines", () => {
    const long = sources
      .filter(({ path }) => path.startsWith("app/routes/") && path.endsWith(".tsx"))
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
      .filter(({ lines }) => lines > 200);
    expect(long).toEqual([]);
  });
});

describe("modules", () => {
  const isModule = ({ path }: ProjectFile) => !/\.test\.tsx?$/.test(path);
  const allModules = allSources.filter(isModule);

  test("have at most 500 lines", () => {
    const long = allModules.filter(({ text }) => text.trimEnd().split("\n").length > 500);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("are in folders of at most 25 files", () => {
    const counts = new Map<string, number>();
    for (const { path } of allModules) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });

  test("export each name from only one file", { timeout: ALL_SOURCES_MS }, () => {
    expect(findRepeatedExports(allModules)).toEqual([]);
  });

  test.each([
    ["declares", "export interface a {}"],
    ["takes from an object", "const b = { c: { d: 1 } };\nexport const { c: { d: a } } = b;"],
  ])("are reported when one of them %s a name that another exports", (_how, text) => {
    const files = [
      { path: "app/domain/x.ts", text: "export const a = 1;" },
      { path: "tests/x.ts", text },
    ];
    expect(findRepeatedExports(files)).toEqual(["a: app/domain/x.ts, tests/x.ts"]);
  });

  test.each([
    ["a name that Remix reads", "app/routes/x.tsx", "app/routes/y.tsx", "export const loader = 1;"],
    ["a message in two languages", "app/i18n/en/x.ts", "app/i18n/ja/x.ts", "export const x = {};"],
    ["a name that is not exported", "app/x.ts", "app/y.ts", "const x = 1;"],
    ["a default", "tests/x.ts", "tests/y.ts", "export default function x() {}"],
    ["a name from another file", "tests/x.ts", "tests/y.ts", `export { x } from "./z";`],
  ])("are not reported for %s", (_what, path, otherPath, text) => {
    expect(
      findRepeatedExports([
        { path, text },
        { path: otherPath, text },
      ]),
    ).toEqual([]);
  });
});

describe("modules of the product", () => {
  test("with one export are named for it", { timeout: ALL_SOURCES_MS }, () => {
    expect(sources.flatMap(findMisnamedFile)).toEqual([]);
  });

  test.each([
    [0, "cart-line", "export function addCartLine() {}"],
    [0, "published-copies.server", "export type Options = string;\nexport const publishCopy = 1;"],
    [0, "content", "export interface EventContent {}"],
    [0, "paging", "export const hrefWith = 1;\nexport const pagerProps = 2;"],
    [1, "cart-line", "export const addProduct = 1;"],
    [1, "cart-line", "export type CartLine = string;\nexport class Product {}"],
    [1, "model", "export type Vector = readonly number[];"],
  ])("are found if they are misnamed (%i in %s: %s)", (count, name, text) => {
    expect(findMisnamedFile({ path: `app/domain/${name}.ts`, text })).toHaveLength(count);
  });
});
