import { describe, expect, it } from "vitest";
import { NEW_STOP } from "~/forms/content/scene-input";
import { contentConflictRows } from "./scene-labels";

describe("two versions side by side", () => {
  const stop = (id: string, ja: string) => ({ ...NEW_STOP, id, text: { ja, en: "" } });

  it("list the differing fields of the stops if both tours have the same stops, otherwise the tours", () => {
    const mine = [stop("a", "one"), stop("b", "mine")];
    const saved = { tour: [stop("a", "one"), stop("b", "theirs")], plan: null };
    expect(contentConflictRows({ tour: mine, plan: null }, saved)).toEqual([
      { field: "text", stop: 2, localValue: { ja: "mine", en: "" }, saved: { ja: "theirs", en: "" } },
    ]);
    const fewer = { tour: saved.tour.slice(1) };
    expect(contentConflictRows({ tour: mine }, fewer)).toEqual([
      { field: "tour", localValue: mine, saved: fewer.tour },
    ]);
    expect(contentConflictRows({ title: "x" }, null)).toEqual([
      { field: "title", localValue: "x", saved: undefined },
    ]);
  });
});
