import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { merge } from "./merge";

const stop = (id: string, title = id, seconds = 8) => ({ id, title: { ja: title, en: "" }, seconds });
const ids = (value: unknown) => (value as readonly { readonly id: string }[]).map(({ id }) => id).join("");
const list = (letters: string) => [...letters].map((id) => stop(id));

describe("a merge of two users' changes", () => {
  it("has each value from the user who changed it, and each language of a text separately", () => {
    expect(merge(1, 2, 1)).toEqual({ value: 2, clash: false });
    expect(merge(1, 1, 3)).toEqual({ value: 3, clash: false });
    expect(merge(1, 2, 2)).toEqual({ value: 2, clash: false });
    expect(merge(1, 2, 3)).toEqual({ value: 2, clash: true });
    const was = { ja: "a", en: "b" };
    expect(merge(was, { ja: "x", en: "b" }, { ja: "a", en: "y" })).toEqual({
      value: { ja: "x", en: "y" },
      clash: false,
    });
    expect(merge(was, { ja: "x", en: "b" }, { ja: "z", en: "y" })).toEqual({
      value: { ja: "x", en: "y" },
      clash: true,
    });
  });

  it("works by record and by field in lists", () => {
    const was = [stop("a"), stop("b"), stop("c")];
    const mine = [stop("a", "mine"), stop("b"), stop("c", "c", 3), stop("d")];
    const now = [stop("a", "a", 5), stop("b", "theirs"), stop("e"), stop("c")];
    expect(merge(was, mine, now)).toEqual({
      value: [stop("a", "mine", 5), stop("b", "theirs"), stop("e"), stop("c", "c", 3), stop("d")],
      clash: false,
    });
    const merged = merge(was, [stop("a", "mine"), stop("b")], [stop("a", "theirs"), stop("c")]);
    expect(merged).toEqual({ value: [stop("a", "mine")], clash: true });
  });

  it("has a conflict when one user deletes a record that the other has changed", () => {
    const was = list("abc");
    expect(merge(was, list("ac"), list("bca"))).toEqual({ value: list("ca"), clash: false });
    expect(merge(was, list("ac"), [stop("a"), stop("b", "new"), stop("c")])).toEqual({
      value: list("ac"),
      clash: true,
    });
    const mine = [stop("a"), stop("b", "new"), stop("c")];
    expect(merge(was, mine, list("ca"))).toMatchObject({ clash: true });
    expect(ids(merge(was, mine, list("ac")).value)).toBe("abc");
  });

  it("has the order of the user who moved records, and a conflict when both moved them differently", () => {
    const was = list("abcd");
    const order = (mine: string, now: string) => {
      const { value, clash } = merge(was, list(mine), list(now));
      return ids(value) + (clash ? "!" : "");
    };
    expect(order("dabc", "abXcd")).toBe("dabXc");
    expect(order("abcdM", "abcdN")).toBe("abcdNM");
    expect(order("Mabcd", "dcba")).toBe("dcbMa");
    expect(order("dabc", "dabc")).toBe("dabc");
    expect(order("dabc", "bacd")).toBe("dabc!");
  });

  it("without conflicts has the same records in any order of saving, and loses no new or renamed record", () => {
    const letters = "abcdef".split("");
    const change = fc.record({
      order: fc.shuffledSubarray(letters, { minLength: 3 }),
      named: fc.dictionary(fc.constantFrom(...letters), fc.constantFrom("x", "y")),
      created: fc.boolean(),
    });
    fc.assert(
      fc.property(change, change, (one, two) => {
        const was = list(letters.join(""));
        const [mine, now] = [one, two].map(({ order, named, created }, index) => [
          ...order.map((id) => stop(id, named[id] ?? id)),
          ...(created ? [stop(`new${index}`)] : []),
        ]);
        const [fromMine, fromSaved] = [merge(was, mine, now), merge(was, now, mine)];
        expect(fromMine.clash).toBe(fromSaved.clash);
        const sorted = ({ value }: { value: unknown }) =>
          [...(value as ReturnType<typeof list>)].sort((a, b) => (a.id < b.id ? -1 : 1));
        if (!fromMine.clash) expect(sorted(fromMine)).toEqual(sorted(fromSaved));
        for (const item of mine ?? [])
          if (!fromMine.clash && !was.some((old) => old.id === item.id && old.title.ja === item.title.ja))
            expect(fromMine.value).toContainEqual(
              expect.objectContaining({ id: item.id, title: item.title }),
            );
      }),
    );
  });
});
