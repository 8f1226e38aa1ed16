import { readdirSync, readFileSync } from "node:fs";
import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { languages } from "../../i18n/languages.server";
import { resources } from "../../i18n/resources.server";
import { createLoginSchema } from "../auth/login.schema";
import { createEventMediaCreateSchema, createEventMediaSchema } from "../content/event-media.schema";
import { createTagSchema } from "../content/tag.schema";
import { createEventSchema } from "../events/event.schema";
import { createEventCreateSchema } from "../events/event-create.schema";
import { createPublishPasswordSchema } from "../events/publish-password.schema";
import { readUrlParamDefinitions } from "../events/url-params";
import { createFolderSchema, createRenameSchema } from "../folders/folder.schema";
import { showcaseField, spaceNameField } from "../spaces/space.schema";
import { formError } from "./fields.schema";
import { createListQuerySchema, parseListQuery } from "./list-query.schema";
import type { Lang } from "./model";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const urlParams = readUrlParamDefinitions(
  JSON.parse(readFileSync(new URL("../../../public/url_params.json", import.meta.url), "utf8")),
);
const placement = { position: [0, 1, 2], normal: [0, 0, 2], width: 1.5 };

/** The tested schemas, each with one valid input. */
const FORMS: Record<string, { schema: z.ZodType; valid: Record<string, unknown> }> = {
  login: {
    schema: createLoginSchema(),
    valid: { email: "a@b.example", password: "demo-password", next: "/library" },
  },
  publishPassword: { schema: createPublishPasswordSchema(), valid: { password: "12345678" } },
  eventCreate: { schema: createEventCreateSchema(), valid: { eventName: { ja: "春の展示" } } },
  folder: { schema: createFolderSchema(), valid: { name: "展示" } },
  "folder's new name": { schema: createRenameSchema("folder"), valid: { version: "1", name: "展示" } },
  "space's new name": { schema: createRenameSchema("space"), valid: { version: "1", name: "展示" } },
  "library item's new name": { schema: createRenameSchema("media"), valid: { version: "1", name: "展示" } },
  space: {
    schema: z.object({ name: spaceNameField, showcase: showcaseField }, formError),
    valid: { name: "本館", showcase: "SxQL3iGyoDo" },
  },
  list: {
    schema: createListQuerySchema(["name"]),
    valid: { page: "2", limit: "50", cursor: `after~${ID}`, q: "春", sort: "name" },
  },
  event: {
    schema: createEventSchema({ now: 0, timeZone: "Asia/Tokyo", saved: null, urlParams }),
    valid: {
      version: "1",
      eventName: { ja: "春の展示" },
      startDate: "2030-04-01T10:00",
      endDate: "2030-04-02T10:00",
      statusId: "1",
      enableAutoChangeStatus: "on",
      eventDetail: { ja: "詳細" },
      spStoreUrl: "shop.example.com",
      spAccessToken: "token",
      publishPassword: "12345678",
      removePublishPassword: "",
      urlParams: { qs: "1" },
      extraParams: [{ name: "ss", value: "1" }],
    },
  },
  tag: {
    schema: createTagSchema(),
    valid: {
      version: "0",
      title: { ja: "壺", en: "Jar" },
      body: { ja: "説明", en: "" },
      color: "#aabbcc",
      icon: "info",
      keywords: ["陶器", "壺"],
      linkUrl: "https://example.com/",
      position: [1, 2, 3],
      stem: [0, 0.3, 0],
      viewpoint: { position: [0, 1.6, 0], yaw: 1, pitch: 0, mode: "walk" },
      mediaIds: [ID],
      product: { id: "gid://shopify/Product/12", title: "壺" },
      hidden: "on",
    },
  },
  eventMediaCreate: {
    schema: createEventMediaCreateSchema(),
    valid: { libraryItemId: ID, title: { ja: "絵", en: "" }, description: { ja: "", en: "" }, placement },
  },
  eventMedia: {
    schema: createEventMediaSchema(),
    valid: { version: 1, title: { ja: "絵", en: "" }, description: { ja: "", en: "" }, placement },
  },
};

const BIG = "x".repeat(1_000_000);
const HOSTILE_VALUES: unknown[] = [
  undefined,
  null,
  "",
  " ",
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e308,
  true,
  false,
  [],
  [null],
  [[]],
  {},
  { ja: 5, en: [] },
  { ja: BIG },
  { position: {}, normal: {}, width: "" },
  JSON.parse('{"__proto__":{"x":1},"constructor":"x"}'),
  "a\0b",
  "a\nb",
  "\u001b[31m",
  "a\u202eb",
  "\ud83d",
  "😀".repeat(40),
  "معرض",
  "<script>alert(1)</script>",
  "' OR 1=1 --",
  "あ".repeat(3000),
  BIG,
  "\u3000".repeat(1_000_000),
  "か\u3099".repeat(300_000),
  Array.from({ length: 100_000 }, () => "x"),
  Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i])),
  Symbol("x"),
  () => 1,
  10n,
  new Date(0),
  new Blob(["x"]),
];

function expectKey(key: string): void {
  expect(key).toMatch(/^[a-z-]+:errors(\.[A-Za-z]+)+$/);
  for (const { i18n } of Object.values(languages)) expect(i18n.exists(key), key).toBe(true);
}

describe.each(Object.entries(FORMS))("the %s schema", (_, { schema, valid }) => {
  it("accepts a valid form", () => {
    expect(schema.safeParse(valid).error?.issues).toBeUndefined();
  });

  it("returns only existing messages for hostile values of its fields", () => {
    for (const name of Object.keys(valid)) {
      for (const value of HOSTILE_VALUES) {
        const result = schema.safeParse({ ...valid, [name]: value });
        for (const issue of result.error?.issues ?? []) {
          expectKey(issue.message);
        }
      }
    }
  });

  it("returns a message for the whole form if the input is not a form", () => {
    for (const value of [undefined, null, 5, "x", [], BIG, true]) {
      const result = schema.safeParse(value);
      expect(result.error?.issues.map(({ path }) => path)).toEqual([[]]);
      for (const issue of result.error?.issues ?? []) expectKey(issue.message);
    }
  });

  it("validates form posts of any content without an exception", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("", "on", "1", "#aabbcc", "2030-01-01T00:00"),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(valid)), text), (fields) => {
        const form = new FormData();
        for (const [name, content] of Object.entries(fields)) form.set(name, content);
        const submission = parseWithZod(form, { schema });
        for (const errorKeys of Object.values(submission.reply().error ?? {})) errorKeys?.forEach(expectKey);
      }),
    );
  });

  it("drops unknown fields", () => {
    const result = schema.parse({ ...valid, role: "admin", ownerId: ID }) as object;
    expect(result).not.toHaveProperty("role");
    expect(result).not.toHaveProperty("ownerId");
  });
});

/** The files of app/domain that are not tests. */
const sources = () => {
  const folder = new URL("../", import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => ({ name, text: readFileSync(new URL(name.replaceAll("\\", "/"), folder), "utf8") }));
};

describe("rules without a schema", () => {
  it("do not import zod, so that visitors do not download it", () => {
    for (const { name, text } of sources().filter(({ name }) => !name.endsWith(".schema.ts")))
      expect(text, name).not.toMatch(/^import (?!type )[^;]*from "(zod|[^"]*\.schema)"/m);
  });
});

describe("messages", () => {
  const textEntries = (tree: object): [string, string][] =>
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === "string"
        ? [[key, value] as [string, string]]
        : textEntries(value).map(([k, v]) => [`${key}.${k}`, v] as [string, string]),
    );

  it("exist for every key that the rules use", () => {
    const keys = sources()
      .flatMap(({ text }) => [...text.matchAll(/"([a-z-]+:errors\.[\w.]+)"/g)])
      .map((match) => match[1] ?? "");
    expect(keys.length).toBeGreaterThan(60);
    for (const key of keys) expectKey(key);
    for (const problem of ["control", "surrogate", "bidi"]) expectKey(`shared-owners:errors.text.${problem}`);
    for (const field of ["startDate", "endDate"]) expectKey(`events:errors.${field}.invalid`);
  });

  it("are never empty, and have the same numbers and values in both languages", () => {
    const errors = (lang: Lang) =>
      Object.entries(resources[lang]).flatMap(([namespace, tree]) =>
        "errors" in tree ? textEntries({ [namespace]: tree.errors }) : [],
      );
    const english = errors("en");
    const japanese = new Map(errors("ja"));
    for (const [key, text] of english) {
      const japaneseText = japanese.get(key) ?? "";
      expect(text.trim() && japaneseText.trim(), key).toBeTruthy();
      expect(text, key).toMatch(/^[\x20-\x7e“”’−]+$/);
      const numbers = (value: string) => (value.match(/\d{2,}/g) ?? []).sort();
      expect(numbers(japaneseText), key).toEqual(numbers(text));
      const slots = (value: string) => (value.match(/\{\{\w+\}\}/g) ?? []).sort();
      expect(slots(japaneseText), key).toEqual(slots(text));
    }
  });

  it("of the specification's catalogue have its English wording", () => {
    const englishTexts = new Set(textEntries(resources.en).map(([, text]) => text));
    for (const message of [
      "An issue has occurred. Please try again later.",
      "Failed to update the event. Please try again later.",
      "Event has been updated.",
      "Successfully connected to the store",
      "Failed to connect to the store",
      "Failed to obtain product information",
      "Product information is not set yet.",
      "No products exist",
      "The selected product variation does not exist",
      "Out of Stock",
      "Not available for sale",
      "Failed to add to cart. Please wait a moment and try again.",
      "client is not ready",
      "GraphQL Error",
      "An error occurred while fetching from the API. Review graphQLErrors for details.",
      "Response returned unexpected Content-Type:",
      "An unknown error has occurred. The API did not return a data object or any errors in its response.",
      "Attempted maximum number of {{retries}} network retries",
      "The specified event does not exist",
      "Not found",
    ]) {
      expect(englishTexts, message).toContain(message);
    }
    // The log-in's message also says what to do.
    expect(languages.en.t("api:services.badCredentials")).toMatch(
      /^The email address or password is incorrect\. \S/,
    );
  });
});

/** The messages of a form by field. */
function messages(form: string, changes: Record<string, unknown>): Record<string, string> {
  const { schema, valid } = FORMS[form] ?? {};
  const result = schema?.safeParse({ ...valid, ...changes });
  return Object.fromEntries(
    (result?.error?.issues ?? []).map((issue) => [issue.path.join("."), issue.message]),
  );
}

describe("logging in", () => {
  const parse = (changes: object) =>
    createLoginSchema().parse({ email: "a@b.example", password: "x", ...changes });

  it("ignores case and outer spaces of the address, and character width in the password", () => {
    expect(parse({ email: " Owner@Demo.Example " }).email).toBe("owner@demo.example");
    expect(parse({ password: "ｄｅｍｏ １" }).password).toBe("demo 1");
    expect(parse({ password: " x " }).password).toBe(" x ");
  });

  it("accepts only pages of this site as the next page", () => {
    expect(parse({ next: "/library" }).next).toBe("/library");
    for (const next of ["//evil.example", "/login", "", undefined, null, 5])
      expect(parse({ next }).next).toBeNull();
  });

  it("requires both fields, and rejects invalid addresses and passwords that are too long", () => {
    expect(messages("login", { email: "", password: undefined })).toEqual({
      email: "auth:errors.email.required",
      password: "auth:errors.password.required",
    });
    const addressesWithSigns = [
      "a,b@c.example",
      "a;b@c.example",
      "a<b@c.example>",
      "a(b)@c.example",
      '"a"@c.example',
      "a@[::1]",
    ];
    for (const email of [
      "a",
      "a@",
      "@b",
      "a b@c.example",
      "a@b@c.example",
      "a@b..example",
      "a@.b",
      ...addressesWithSigns,
    ]) {
      expect(messages("login", { email })).toEqual({ email: "auth:errors.email.invalid" });
    }
    expect(messages("login", { password: "x".repeat(129) })).toEqual({
      password: "auth:errors.password.tooLong",
    });
  });
});

describe("a new space", () => {
  it("accepts a showcase's id or URL", () => {
    expect(showcaseField.parse("SxQL3iGyoDo")).toEqual({ sid: "SxQL3iGyoDo", isDoubtful: false });
    expect(showcaseField.parse("https://my.matterport.com/show/?m=OxQL3iGyoDo")).toEqual({
      sid: "OxQL3iGyoDo",
      isDoubtful: true,
    });
  });

  it("rejects other input, and a name that is too long", () => {
    for (const showcase of [
      "x",
      "https://evil.example/?m=SxQL3iGyoDo",
      "javascript:alert(1)",
      "SxQL3iGyoDo!",
    ])
      expect(messages("space", { showcase })).toEqual({ showcase: "spaces:errors.showcase.invalid" });
    expect(messages("space", { showcase: " " })).toEqual({ showcase: "spaces:errors.showcase.required" });
    expect(messages("space", { name: "あ".repeat(65) })).toEqual({
      name: "folders:errors.spaceName.tooLong",
    });
  });
});

describe("a new event", () => {
  it("requires a name in at least one language", () => {
    const schema = createEventCreateSchema("ja");
    expect(schema.safeParse({}).error?.issues[0]).toMatchObject({
      path: ["eventName", "ja"],
      message: "events:errors.eventName.required",
    });
    expect(schema.parse({ eventName: { en: "Spring" } })).toEqual({
      eventName: { ja: "", en: "Spring" },
      template: null,
    });
  });
});

describe("a tag", () => {
  const parse = (changes: object) => createTagSchema().parse({ ...(FORMS.tag?.valid as object), ...changes });

  it("requires a title in at least one language", () => {
    expect(parse({ title: { ja: "壺" } }).title).toEqual({ ja: "壺", en: "" });
    expect(messages("tag", { title: { ja: " ", en: "" } })).toEqual({
      title: "content:errors.tag.titleRequired",
    });
    expect(messages("tag", { title: undefined })).toEqual({ title: "content:errors.tag.titleRequired" });
    expect(messages("tag", { title: { ja: "壺", en: "x".repeat(101) } })).toEqual({
      "title.en": "content:errors.tag.titleTooLong",
    });
  });

  it("requires only a title", () => {
    expect(createTagSchema().parse({ version: 0, title: { ja: "壺" } })).toMatchObject({
      body: { ja: "", en: "" },
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      keywords: [],
      linkUrl: null,
      position: null,
      viewpoint: null,
      mediaIds: [],
      product: null,
      hidden: false,
    });
  });

  it("has finite coordinates within ten kilometres", () => {
    expect(parse({ position: ["1", "-2.5", "1e3"] }).position).toEqual([1, -2.5, 1000]);
    expect(parse({ position: { x: 1, y: 2, z: 3 } }).position).toEqual([1, 2, 3]);
    expect(parse({ position: [-10_000, 0, 10_000] }).position).toEqual([-10_000, 0, 10_000]);
    for (const position of [
      [1, 2],
      [1, 2, 3, 4],
      [1, 2, Number.NaN],
      [0, 0, 10_000.1],
      ["", 0, 0],
      "1,2,3",
      [null, 0, 0],
    ]) {
      expect(messages("tag", { position })).toEqual({ position: "shared-owners:errors.field.position" });
    }
  });

  it("has a viewpoint whose yaw is wrapped into one turn, and rejects an invalid viewpoint", () => {
    const viewpoint = { position: [0, 1, 0], yaw: 3 * Math.PI, pitch: -0.5, mode: "walk", nodeId: "n-1" };
    expect(parse({ viewpoint }).viewpoint).toMatchObject({ pitch: -0.5, mode: "walk", nodeId: "n-1" });
    expect(Math.abs(parse({ viewpoint }).viewpoint?.yaw ?? 0)).toBeCloseTo(Math.PI);
    // A yaw within −π…π is returned without rounding.
    for (const yaw of [0.04513062505474905, -Math.PI, Math.PI])
      expect(parse({ viewpoint: { ...viewpoint, yaw } }).viewpoint?.yaw).toBe(yaw);
    for (const invalid of [
      { pitch: 2 },
      { mode: "fly" },
      { yaw: "x" },
      { nodeId: "../x" },
      { position: [] },
    ]) {
      expect(messages("tag", { viewpoint: { ...viewpoint, ...invalid } })).toEqual({
        viewpoint: "shared-owners:errors.field.position",
      });
    }
  });

  it("has keywords without duplicates, from a list or from a text with commas", () => {
    expect(parse({ keywords: "陶器、壺, 陶器,, Ｊａｒ,jar" }).keywords).toEqual(["陶器", "壺", "Ｊａｒ"]);
    expect(parse({ keywords: ["陶器", "壺", "陶器"] }).keywords).toEqual(["陶器", "壺"]);
    expect(messages("tag", { keywords: Array.from({ length: 21 }, (_, i) => `k${i}`) })).toEqual({
      keywords: "content:errors.tag.tooManyKeywords",
    });
    expect(messages("tag", { keywords: ["あ".repeat(33)] })).toEqual({
      keywords: "content:errors.tag.keywordTooLong",
    });
  });

  it("links only to http and https URLs", () => {
    expect(parse({ linkUrl: "HTTP://Example.com/a b".replace(" ", "%20") }).linkUrl).toBe(
      "http://example.com/a%20b",
    );
    expect(parse({ linkUrl: "https://例え.jp/道" }).linkUrl).toMatch(/^https:\/\/xn--r8jz45g\.jp\//);
    // Users may omit the scheme.
    expect(parse({ linkUrl: "example.com" }).linkUrl).toBe("https://example.com/");
    expect(parse({ linkUrl: "www.例え.jp:8443/道?a=b" }).linkUrl).toMatch(
      /^https:\/\/www\.xn--r8jz45g\.jp:8443\/.+\?a=b$/,
    );
    for (const linkUrl of [
      "javascript:alert(1)",
      "JaVaScRiPt://x/%0aalert(1)",
      "data:text/html,x",
      "//example.com",
      "/path",
      "example",
      "localhost:3000",
      "192.168.0.1",
      "info@example.com",
      "mailto:info@example.com",
      "example.com:alert(1)",
      "ftp://example.com",
      "https://user:word@example.com",
      "https://",
      "https:///example.com",
      "https://a b.example",
    ]) {
      expect(messages("tag", { linkUrl }), linkUrl).toEqual({
        linkUrl: "shared-owners:errors.linkUrl.invalid",
      });
    }
  });

  it("has a colour of six hexadecimal digits", () => {
    expect(parse({ color: "#AABBCC" }).color).toBe("#aabbcc");
    for (const color of ["red", "#abc", "#aabbccdd", "#aabbcg", "url(x)", 5]) {
      expect(messages("tag", { color })).toEqual({ color: "content:errors.tag.color" });
    }
  });
});

describe("a product of a tag", () => {
  it("is null or a product id of the store", () => {
    const parse = (product: unknown) =>
      createTagSchema().parse({ version: 0, title: { ja: "壺" }, product }).product;
    expect(parse({ id: "gid://shopify/Product/12", title: " 壺 " })).toMatchObject({
      id: "gid://shopify/Product/12",
    });
    for (const emptyProduct of [undefined, null, "", { id: "", title: "x" }])
      expect(parse(emptyProduct)).toBeNull();
    for (const product of ["x", [], { id: 12 }, { id: "12" }, { id: "gid://shopify/Order/1" }])
      expect(messages("tag", { product })).toEqual({ product: "shared-owners:errors.field.invalid" });
  });
});

describe("a media item of an event", () => {
  it("has a placement with a unit normal and defaults, and rejects an invalid placement", () => {
    expect(createEventMediaSchema().parse(FORMS.eventMedia?.valid).placement).toEqual({
      position: [0, 1, 2],
      normal: [0, 0, 1],
      width: 1.5,
      rotation: 0,
      play: "click",
      reach: 8,
    });
    const rotated = { ...placement, rotation: "7", play: "auto", reach: 20 };
    const value = createEventMediaSchema().parse({
      ...(FORMS.eventMedia?.valid as object),
      placement: rotated,
    });
    expect(value.placement).toMatchObject({
      rotation: expect.closeTo(7 - 2 * Math.PI),
      play: "auto",
      reach: 20,
    });
    for (const [invalid, key] of [
      [{ rotation: "x" }, "shared-owners:errors.field.position"],
      [{ play: "always" }, "shared-owners:errors.field.invalid"],
      [{ reach: 0 }, "content:errors.media.reach"],
      [{ reach: 101 }, "content:errors.media.reach"],
    ] as const)
      expect(messages("eventMedia", { placement: { ...placement, ...invalid } })).toEqual({ placement: key });
    for (const invalid of [
      { normal: [0, 0, 0] },
      { normal: null },
      { position: [Number.POSITIVE_INFINITY, 0, 0] },
    ]) {
      expect(messages("eventMedia", { placement: { ...placement, ...invalid } })).toEqual({
        placement: "shared-owners:errors.field.position",
      });
    }
    for (const width of [0, -1, 101, "", null]) {
      expect(messages("eventMedia", { placement: { ...placement, width } })).toEqual({
        placement: "content:errors.media.width",
      });
    }
  });
});

describe("a list", () => {
  it("defaults to the first 20 rows", () => {
    expect(createListQuerySchema().parse({})).toEqual({
      page: 1,
      limit: 20,
      cursor: { position: "first" },
      q: null,
      sort: null,
    });
  });

  it("reports errors to API callers", () => {
    for (const invalid of [{ page: "0" }, { limit: "101" }, { cursor: "a b" }, { sort: "secret" }]) {
      expect(Object.values(messages("list", invalid))).toEqual(["shared-owners:errors.list.invalid"]);
    }
    expect(messages("list", { q: "あ".repeat(101) })).toEqual({
      q: "shared-owners:errors.list.searchTooLong",
    });
  });

  it("is read from the URL of a page, where invalid parameters count as missing", () => {
    const parse = (query: string) => parseListQuery(new URLSearchParams(query));
    expect(parse("page=3&q=%E6%98%A5&limit=50")).toEqual({
      page: 3,
      limit: 50,
      cursor: { position: "first" },
      q: "春",
    });
    expect(parse("page=x&limit=-1&q=%00&cursor=%20")).toEqual({
      page: 1,
      limit: 20,
      cursor: { position: "first" },
      q: null,
    });
  });
});
