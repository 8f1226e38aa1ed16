import fc from "fast-check";
import { expect, it } from "vitest";
import { readJson } from "./read-json";

it("reads what JSON.parse reads", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      const result = readJson(json);
      // Only JSON with a forbidden name may be rejected here.
      if ("wrong" in result) expect(json).toMatch(/__proto__|constructor|prototype/);
      else expect(result.value).toEqual(JSON.parse(json));
    }),
    { seed: 7 },
  );
});

it("rejects a duplicate name and returns its position", () => {
  expect(readJson('{"a":1,"b":{"a":2},"a":3}')).toEqual({ wrong: "twice", path: ["a"] });
  expect(readJson('{"x":[{"a":1},{"a":1,"\\u0061":2}]}')).toEqual({ wrong: "twice", path: ["x", "1", "a"] });
  expect(readJson('{"a":"\\"a\\":1,","b":[{"a":1},{"a":1}],"c":{"a":"a"}}')).toHaveProperty("value");
  expect(readJson('{"a\\\\":1,"a\\\\\\"":1}')).toHaveProperty("value");
});

it("rejects names of prototypes, and excessive nesting", () => {
  expect(readJson('{"a":{"__proto__":{}}}')).toEqual({ wrong: "rejected", path: ["a", "__proto__"] });
  expect(readJson('{"\\u005f_proto__":1}')).toEqual({ wrong: "rejected", path: ["__proto__"] });
  expect(readJson('[{"constructor":1}]')).toEqual({ wrong: "rejected", path: ["0", "constructor"] });
  expect(readJson('{"a":"__proto__"}')).toEqual({ value: { a: "__proto__" } });
  const nestedJson = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(readJson(nestedJson(64))).toHaveProperty("value");
  for (const levels of [65, 10_000, 400_000])
    expect(readJson(nestedJson(levels))).toEqual({ wrong: "syntax" });
});

it("rejects invalid JSON", () => {
  for (const json of ["", "{", '{"a"}', "[1,]", "nul", "'a'", "\ufeff{}"])
    expect(readJson(json)).toEqual({ wrong: "syntax" });
});
