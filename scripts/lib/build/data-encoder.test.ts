import { readFileSync } from "node:fs";
import { decode, encode } from "turbo-stream";
import { describe, expect, it } from "vitest";
import { fromRoot } from "../paths";
import { encodeDirectly } from "./data-encoder";

const source = readFileSync(fromRoot("node_modules/turbo-stream/dist/turbo-stream.mjs"), "utf8");
const changed = (await import(`data:text/javascript,${encodeURIComponent(encodeDirectly(source))}`)) as {
  encode: typeof encode;
};

class Point {
  readonly x = 1;
}

const createData = () => {
  const shared = { name: '広場 "<&>" \u2028', tags: ["a", "a", ""], parent: null as unknown };
  shared.parent = shared;
  return {
    shared,
    again: [shared, shared.tags, "name", 0, -0, Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true],
    sparse: Object.assign([], { 0: 1, 2: 2 }),
    "a,b": { "": "", 1: 1n, date: new Date(0), url: new URL("https://x.example/"), pattern: /a"/g },
    map: new Map<unknown, unknown>([["name", shared]]),
    set: new Set(["name", 1]),
    bare: Object.assign(Object.create(null), { name: "name" }),
    point: new Point(),
    error: new TypeError("no"),
    late: Promise.resolve({ name: "広場", shared }),
    failed: Promise.reject(new Error("late")),
  };
};

const options: Parameters<typeof encode>[1] = {
  plugins: [(value) => (value instanceof Point ? ["Point", value.x, "name"] : undefined)],
};

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

describe("the changed encoder", () => {
  it("encodes all kinds of values like the original", async () => {
    const text = await textOf(changed.encode(createData(), options));
    expect(text).toBe(await textOf(encode(createData(), options)));
    expect(text).toContain("Point");
    for (const value of ["広場", "", 0, null, undefined, [], [[]], {}])
      expect(await textOf(changed.encode(value))).toBe(await textOf(encode(value)));
  });

  it("encodes data that the original decoder decodes to the same data", async () => {
    const data = { texts: ["広場", "広場"], inner: { texts: "texts", empty: "" } };
    const { value } = await decode(changed.encode(data));
    expect(value).toEqual(data);
  });

  it("rejects another version of the package", () => {
    expect(() => encodeDirectly(source.replace("(i in input2 ?", "(i in other ?"))).toThrow(
      "does not contain",
    );
  });
});
