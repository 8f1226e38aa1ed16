import { describe, expect, it } from "vitest";
import { EVENT_MEDIA_MAX, EVENT_TAGS_MAX } from "../shared/limits";
import { hasChoice, readChoice, writeChoice } from "../store/product-choice";
import { VISITOR_LIST_PAGE_SIZE } from "./visitor-list";
import { normaliseVisitorQuery, readPageNumber, visitorPageKind } from "./visitor-url";

const ID = "0b5a4a0c-3c1e-4f8e-9a57-2f6a1c9d0e11";
const normal = (kind: Parameters<typeof normaliseVisitorQuery>[0], query: string) =>
  String(normaliseVisitorQuery(kind, new URLSearchParams(query)));

describe("visitorPageKind", () => {
  it.each([
    [`/event/published/${ID}`, "event"],
    [`/event/preview/${ID}.data`, "event"],
    [`/event/published/${ID}/qr`, null],
    [`/event/published/${ID}/content`, "content"],
    [`/space/3d/${ID}/sid`, "event"],
    [`/space/published/${ID}/sid/shop`, "shop"],
    [`/event/published/${ID}/shop/products/1.data`, "product"],
    [`/event/published/${ID}/shop/cart`, "shop"],
    [`/error/event/${ID}`, "closed"],
    [`/event/${ID}`, null],
    [`/event/${ID}/as-visitor/page`, null],
    ["/login", null],
  ])("classifies %s", (path, kind) => expect(visitorPageKind(path)).toBe(kind));
});

describe("normaliseVisitorQuery", () => {
  it("drops unknown parameters, orders the rest, and keeps each name once, except keywords", () => {
    for (const query of [
      "token=a",
      "utm_source=x&token=a",
      "token=a&token=b",
      "token=a&nothing=1&ref=mail&fbclid=2&view=w_1_2_3_4_5&dialog=other&poster=0&page=1&q=&k=",
    ])
      expect(normal("event", query), query).toBe("token=a");
    expect(normal("event", "q=b&tag=t&token=a")).toBe(normal("event", "token=a&tag=t&q=b&tag=u"));
    expect(normal("event", "token=a&k=2&k=1&k=2&q= b ")).toBe("token=a&q=b&k=1&k=2");
  });

  it("reads the language like the pages", () => {
    expect(normal("event", "token=a&lang=jp")).toBe("token=a&lang=ja");
    expect(normal("event", "token=a&lang=fr")).toBe("token=a&lang=en");
  });

  it("keeps the view that the server writes into a link", () => {
    const view = "w_1_2_3_4_5";
    expect(normal("event", `token=a&dialog=share&view=${view}`)).toContain(`view=${view}`);
    expect(normal("event", `token=a&poster=1&tag=t&view=${view}`)).toContain(`view=${view}`);
  });

  it("keeps the parameters of a shop's pages, and up to ten options of a product", () => {
    expect(normal("shop", "token=a&utm_medium=m&after=x&q=tea&size=M")).toBe("token=a&q=tea&after=x");
    expect(normal("product", "token=a&opt.Size=S&size=M&utm_id=1&gclid=2&choice=1")).toBe(
      "token=a&choice=1&opt.Size=S&size=M",
    );
    const manyParams = Array.from({ length: 50 }, (_, index) => `x${index}=1`).join("&");
    expect([...normaliseVisitorQuery("product", new URLSearchParams(manyParams)).keys()]).toHaveLength(10);
  });

  it("keeps the choice of a product's option that is named like a parameter of campaigns", () => {
    for (const name of [
      "Ref",
      "referrer",
      "utm_source",
      "fbclid",
      "mc_eid",
      "_ga",
      "igsh",
      "Source",
      "token",
    ]) {
      const selection = [{ name, value: "5" }];
      const query = normal("product", `token=a&${writeChoice(selection)}`);
      expect(readChoice(new URLSearchParams(query), "en").names).toEqual(selection);
    }
    const query = new URLSearchParams(writeChoice([{ name: "Ref", value: "5" }]));
    expect(hasChoice(readChoice(query, "en"))).toBe(true);
    expect(hasChoice(readChoice(new URLSearchParams("ref=5"), "en"))).toBe(false);
  });

  it("keeps the language of the page of closed links, but not the token", () => {
    expect(normal("closed", "token=secret&lang=en&x=1")).toBe("lang=en");
  });

  it("is idempotent", () => {
    for (const kind of ["event", "shop", "product", "content", "closed"] as const) {
      const normalised = normal(
        kind,
        "x=1&token=a&lang=jp&page=3&q=a b&k=2&poster=1&view=w&opt.a=1&entered&cart=c",
      );
      expect(normal(kind, normalised)).toBe(normalised);
    }
  });
});

it("keeps the token and the language of an event's content", () => {
  expect(normal("content", "x=1&lang=en&tag=t&token=a")).toBe("token=a&lang=en");
});

it("returns the number of a list's page, and 1 for an invalid number", () => {
  const readPage = (page: string) => readPageNumber(new URLSearchParams({ page }));
  expect(["2", "10", "0", "-1", "1.5", "x", "999999", ""].map(readPage)).toEqual([2, 10, 1, 1, 1, 1, 1, 1]);
});

it("returns the last page for larger numbers of up to five digits, so that they share one cached page", () => {
  const lastPage = readPageNumber(new URLSearchParams({ page: "99999" }));
  expect(lastPage).toBe(Math.ceil((EVENT_TAGS_MAX + EVENT_MEDIA_MAX) / VISITOR_LIST_PAGE_SIZE));
  expect(normal("event", "token=a&page=4321")).toBe(normal("event", "token=a&page=99999"));
});
