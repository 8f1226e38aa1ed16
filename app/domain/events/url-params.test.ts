import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UrlParams } from "../shared/model";
import {
  deserialiseUrlParams,
  parseUrlParams,
  readUrlParamDefinitions,
  serialiseUrlParams,
  showcaseUrl,
} from "./url-params";

const definitions = readUrlParamDefinitions(
  JSON.parse(readFileSync(new URL("../../../public/url_params.json", import.meta.url), "utf8")),
);
const SID = "SxQL3iGyoDo";
const parse = (entries: Record<string, unknown>) => parseUrlParams(definitions, Object.entries(entries));

describe("the definitions", () => {
  it("are those of the showcase, and all are offered", () => {
    const names =
      "play qs lang title brand mls help nt ts tour gt hr hl lp tourcta kb st sspa wts dh fp f labels mt tagNav pin " +
      "portal measurements search views share vr nozoom wh";
    expect([...definitions.availableParams]).toEqual(names.split(" "));
    expect(Object.keys(definitions.params)).toEqual(names.split(" "));
  });

  it("have texts in both languages for every parameter and every choice", () => {
    for (const [name, definition] of Object.entries(definitions.params)) {
      expect(definition.description, name).toBe(definition.descriptions.ja);
      expect(definition.descriptions.ja, name).toMatch(/[ぁ-んァ-ヶ一-龠]/);
      expect(definition.descriptions.en, name).toMatch(/^[\x20-\x7e°]+$/);
      if (typeof definition.type === "string") continue;
      expect(Object.keys(definition.labels ?? {}).sort(), name).toEqual([...definition.type].sort());
      for (const label of Object.values(definition.labels ?? {})) {
        expect(label.ja && label.en, name).toBeTruthy();
      }
    }
  });

  it("have valid defaults", () => {
    for (const [name, definition] of Object.entries(definitions.params)) {
      if (definition.default === null) continue;
      expect(parse({ [name]: definition.default }), name).toEqual({
        values: { [name]: definition.default },
        errors: [],
      });
    }
  });

  it("are rejected when they have another form", () => {
    const texts = { ja: "あ", en: "a" };
    for (const wrong of [
      null,
      {},
      { params: {} },
      { params: {}, availableParams: ["x"] },
      { params: { x: { type: "text", descriptions: texts } }, availableParams: [] },
      { params: { x: { type: [], descriptions: texts } }, availableParams: [] },
      { params: { x: { type: "integer", descriptions: { ja: "あ" } } }, availableParams: [] },
    ]) {
      expect(() => readUrlParamDefinitions(wrong)).toThrow(TypeError);
    }
  });
});

describe("parameters", () => {
  it("are parsed to their types, also values that equal the default", () => {
    expect(
      parse({ ts: "5", wts: "2.5", qs: "1", title: "2", dh: "1", st: "3500", sspa: " 40 ", wh: "" }),
    ).toEqual({
      values: { ts: 5, wts: 2.5, qs: "1", title: "2", dh: "1", st: 3500, sspa: 40 },
      errors: [],
    });
  });

  it.each([
    ["ts", "1.5", "integer"],
    ["ts", "1e3", "integer"],
    ["ts", "0x10", "integer"],
    ["ts", "５", "integer"],
    ["ts", "", null],
    ["ts", "-2", "range"],
    ["ts", "99999999999999", "range"],
    ["wts", "fast", "number"],
    ["wts", "Infinity", "number"],
    ["wts", "NaN", "number"],
    ["wts", "0.39", "range"],
    ["wts", "10.01", "range"],
    ["wts", "0.4", null],
    ["wts", "10", null],
    ["ts", "3600", null],
    ["ts", "3601", "range"],
    ["wts", ".5", null],
    ["qs", "2", "choice"],
    ["qs", "true", "choice"],
    ["lang", "xx", "choice"],
    ["qs", true, "value"],
    ["qs", ["1"], "value"],
    ["qs", { a: 1 }, "value"],
    ["unknown", "a\nb", "value"],
    ["unknown", "a\u202eb", "value"],
    ["unknown", "あ".repeat(201), "value"],
    ["unknown", "あ".repeat(200), null],
    ["unknown", "x".repeat(1_000_000), "value"],
    ["", "1", "name"],
    ["a b", "1", "name"],
    ["a&m", "1", "name"],
    ["1a", "1", "name"],
    ["__proto__", "1", "name"],
    ["x".repeat(1_000_000), "1", "name"],
    ["m", SID, "rejected"],
    ["M", SID, "rejected"],
    ["model", SID, "rejected"],
    ["applicationKey", "k", "rejected"],
    ["applicationkey", "k", "rejected"],
    ["auth", "Bearer x", "rejected"],
    ["apiHost", "evil.example", "rejected"],
  ])("%.20s = %.20j: %s", (name, value, error) => {
    const { errors } = parseUrlParams(definitions, [[name, value]]);
    expect(errors).toEqual(error === null ? [] : [{ name, key: `events:errors.urlParams.${error}` }]);
  });

  it("without a definition are kept unchanged, also with names of object members", () => {
    const entries = { hhl: "1", constructor: "x", toString: "y", ss: 12, sr: "-.16,1.2" };
    expect(parse(entries)).toEqual({ values: entries, errors: [] });
  });

  it("that are repeated have their last value", () => {
    const repeatedParams = [
      ["qs", "1"],
      ["qs", ""],
      ["ts", "5"],
      ["ts", "6"],
    ] as const;
    expect(parseUrlParams(definitions, repeatedParams).values).toEqual({ ts: 6 });
  });

  it("are rejected when they are far too many, without reading all of them", () => {
    let readCount = 0;
    function* endless() {
      for (;;) yield [`p${readCount++}`, "1"] as const;
    }
    expect(parseUrlParams(definitions, endless()).errors).toContainEqual({
      name: "",
      key: "events:errors.urlParams.tooMany",
    });
    expect(readCount).toBeLessThan(1000);
  });

  it("are unchanged after storage", () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/);
    const value = fc.oneof(
      fc.string({ minLength: 1, maxLength: 50 }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 20 }), (entries) => {
        const { values } = parseUrlParams(definitions, entries);
        const stored = serialiseUrlParams(values);
        expect(deserialiseUrlParams(stored)).toEqual(values);
        const backwards: UrlParams = Object.fromEntries(Object.entries(values).reverse());
        expect(serialiseUrlParams(backwards)).toBe(stored);
        // Stored values stay valid when the form sends them back.
        expect(
          parseUrlParams(
            definitions,
            Object.entries(values).map(([k, v]) => [k, String(v)]),
          ).errors,
        ).toEqual([]);
      }),
    );
  });

  it("are empty when the stored value is invalid, and omit invalid entries", () => {
    for (const text of [null, "", "{", "[]", "null", "1", '"a"'])
      expect(deserialiseUrlParams(text)).toEqual({});
    expect(
      deserialiseUrlParams('{"qs":"1","m":"x","a b":"1","n":null,"o":{},"t":true,"__proto__":"1"}'),
    ).toEqual({
      qs: "1",
    });
  });
});

describe("the URL of a showcase", () => {
  it("opens at once, in a frame, in the visitor's language", () => {
    expect(showcaseUrl(SID, {}, "ja")).toBe(
      `https://my.matterport.com/show?m=${SID}&play=1&lang=ja&playsInline=1`,
    );
  });

  it("contains the event's parameters, which have precedence over the product's defaults", () => {
    const url = new URL(
      showcaseUrl(SID, { play: "0", lang: "fr", ts: 5, sr: "-.16,1.2", note: "a&m=b" }, "en"),
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({
      m: SID,
      play: "0",
      lang: "fr",
      ts: "5",
      sr: "-.16,1.2",
      note: "a&m=b",
      playsInline: "1",
    });
  });

  it("never leads to another site or another space, for any parameters", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.oneof(fc.string(), fc.constantFrom("m", "model", "auth", "apiHost", "applicationKey")),
          fc.string(),
        ),
        (params) => {
          const url = new URL(showcaseUrl(SID, params, "ja"));
          expect(url.origin + url.pathname).toBe("https://my.matterport.com/show");
          expect(url.searchParams.getAll("m")).toEqual([SID]);
          for (const name of ["model", "auth", "apiHost", "applicationKey"])
            expect(url.searchParams.has(name)).toBe(false);
          expect(url.searchParams.getAll("playsInline")).toEqual(["1"]);
        },
      ),
    );
  });

  it("is not built for an invalid showcase id", () => {
    for (const sid of ["", "short", `${SID}&auth=x`, "../../../../x"]) {
      expect(() => showcaseUrl(sid, {}, "ja")).toThrow(RangeError);
    }
  });
});
