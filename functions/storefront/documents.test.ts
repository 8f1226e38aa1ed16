import { readdirSync, readFileSync } from "node:fs";
import { parse, validate, validateSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { isStoreCountry } from "~/domain/store/store-locale";
import { fromRoot } from "../../scripts/lib/paths";
import { storefrontSchema } from "../../seed/store/store";
import { DOCUMENTS, titleQuery, variantsPerProduct } from "./documents";

const schema = storefrontSchema();

describe("the schema of 2025-01", () => {
  it("is a valid GraphQL schema", () => {
    expect(validateSchema(schema)).toEqual([]);
  });
  it("has exactly the countries that isStoreCountry accepts, and ZZ", () => {
    const type = schema.getType("CountryCode");
    const codes = (type && "getValues" in type ? type.getValues() : []).map(({ name }) => name);
    expect(codes.filter((code) => !isStoreCountry(code))).toEqual(["ZZ"]);
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    expect(pairs.filter((pair) => isStoreCountry(pair) && !codes.includes(pair))).toEqual([]);
    expect(["", "T1", "XX", "jp", "ZZ"].filter(isStoreCountry)).toEqual([]);
  });
});

describe("every operation", () => {
  it.each(Object.entries(DOCUMENTS))("%s is valid and the only operation of its document", (_, text) => {
    const document = parse(text);
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
    expect(document.definitions.filter(({ kind }) => kind === "OperationDefinition")).toHaveLength(1);
  });

  it("leaves language and country to the store without variables", () => {
    for (const [name, text] of Object.entries(DOCUMENTS).filter(
      ([documentName]) => documentName !== "shop",
    )) {
      expect(text, name).toContain("@inContext(country: $country, language: $language)");
      expect(text, name).not.toMatch(/\$(country|language): \w+!/);
    }
  });

  it("requests the previous page with `last` and the next one with `first`, 250 products each", () => {
    for (const name of ["productsBefore", "collectionBefore"] as const)
      expect(DOCUMENTS[name]).toContain("last: 250, before: $cursor");
    for (const name of ["productsAfter", "collectionAfter"] as const)
      expect(DOCUMENTS[name]).toContain("first: 250, after: $cursor");
  });

  it("requests 250 variants for each of a few products, and fewer for many, within the limit of a query", () => {
    expect([1, 80, 250].map(variantsPerProduct)).toEqual([250, 250, 80]);
    for (let count = 0; count <= 250; count++)
      expect(count * (variantsPerProduct(count) + 1), String(count)).toBeLessThan(25_000);
  });

  it("is defined in one file only", () => {
    const sources = ["app", "functions"].flatMap((folder) =>
      readdirSync(fromRoot(folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    const holders = sources.filter((path) =>
      /GraphQL \*\/|\b(query|mutation)\s+\w+\s*(\([^)]*\$|\{)/.test(readFileSync(fromRoot(path), "utf8")),
    );
    expect(holders).toEqual(["functions/storefront/documents.ts"]);
  });
});

describe("a title search", () => {
  it.each([
    ["", null],
    ["  ", null],
    ["***", null],
    ["藍", "title:*藍*"],
    ["indigo  paper", "title:*indigo* AND title:*paper*"],
    ["a:b (c)", "title:*a\\:b* AND title:*\\(c\\)*"],
    ['"quoted" back\\slash', 'title:*\\"quoted\\"* AND title:*back\\\\slash*'],
    ["NOT OR", "title:*NOT* AND title:*OR*"],
    ["50 % off*", "title:*50* AND title:*%* AND title:*off*"],
  ])("converts %j to %j", (input, query) => {
    expect(titleQuery(input)).toBe(query);
  });
});
