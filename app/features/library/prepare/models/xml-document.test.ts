import { describe, expect, it } from "vitest";
import { parseXml } from "./xml-document";

const root = (text: string) => parseXml(text).documentElement;
const names = (list: readonly { readonly nodeName: string }[]) => list.map(({ nodeName }) => nodeName);

describe("a document", () => {
  const model = root(
    `\ufeff<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE model><!-- comment -->
    <model unit="inch" xmlns="urn:core" xmlns:m="urn:material"><resources>
      <object id="1"><mesh><vertices><vertex x="1"/><vertex x="2"/></vertices></mesh></object>
      <m:colorgroup id="2" m:kind="flat"><m:color color="#f00"/></m:colorgroup>
    </resources><note>a &lt; b<![CDATA[ <c> ]]>d</note></model>`,
  );

  it("has elements, attributes and text", () => {
    expect([model.nodeName, model.nodeType, model.getAttribute("unit"), model.getAttribute("none")]).toEqual([
      "model",
      1,
      "inch",
      null,
    ]);
    expect(model.attributes[0]).toEqual({ name: "unit", value: "inch" });
    expect(names(model.children)).toEqual(["resources", "note"]);
    expect(model.querySelector("note")?.textContent).toBe("a < b <c> d");
    expect(model.querySelector("vertices")?.childNodes.length).toBe(2);
  });

  it("finds elements by selectors, names and namespaces", () => {
    expect(model.querySelectorAll("mesh vertex").map((element) => element.getAttribute("x"))).toEqual([
      "1",
      "2",
    ]);
    expect(model.querySelectorAll("resources mesh vertex").length).toBe(2);
    expect(model.querySelectorAll("color vertex")).toEqual([]);
    expect(model.querySelector("colorgroup")?.getAttribute("id")).toBe("2");
    expect(names(model.getElementsByTagName("m:color"))).toEqual(["m:color"]);
    expect(model.getElementsByTagNameNS("urn:material", "color").length).toBe(1);
    expect(model.getElementsByTagNameNS("urn:core", "vertex").length).toBe(2);
    expect(model.querySelector("colorgroup")?.getAttributeNS("urn:material", "kind")).toBe("flat");
    expect(model.querySelector("colorgroup")?.getAttributeNS("urn:core", "kind")).toBeNull();
    expect(model.getElementsByTagName("*").length).toBe(9);
    expect(() => model.querySelector("vertex:first-child")).toThrow(SyntaxError);
  });
});

it("reads names with an undeclared prefix", () => {
  expect(root("<a><p:b/></a>").querySelector("b")?.nodeName).toBe("p:b");
});

it("replaces and removes elements", () => {
  const list = root("<a><b/><c/><d/></a>");
  const [b, c, d] = list.children;
  if (!b || !c || !d) throw new Error("no elements");
  c.replaceWith(...root("<x><y/><z/></x>").children);
  d.remove();
  expect(names(list.children)).toEqual(["b", "y", "z"]);
  expect(list.children[1]?.parentNode).toBe(list);
});

it.each([
  ["a truncated text", "<a><b>"],
  ["elements that overlap", "<a><b></a></b>"],
  ["a text that is not XML", "solid box"],
  ["an empty text", ""],
])("rejects %s as damaged", (_, text) => {
  expect(() => root(text)).toThrow(expect.objectContaining({ code: "damaged" }));
});

it("rejects elements that are nested too deeply, and entities that expand others", () => {
  expect(() => parseXml("<a>".repeat(501))).toThrow(expect.objectContaining({ code: "too_large" }));
  expect(parseXml("<a>".repeat(500) + "</a>".repeat(500)).documentElement.nodeName).toBe("a");
  const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>';
  expect(() => parseXml(bomb)).toThrow(expect.objectContaining({ code: "damaged" }));
});

it("reads a long document in pieces and reports between them", () => {
  const shares: number[] = [];
  const text = `<a>${'<b c="1"/>'.repeat(400_000)}</a>`;
  const { children } = parseXml(text, (share) => shares.push(share)).documentElement;
  expect(children.length).toBe(400_000);
  expect(children.every((child) => child.getAttribute("c") === "1")).toBe(true);
  expect(shares.length).toBeGreaterThan(3);
});
