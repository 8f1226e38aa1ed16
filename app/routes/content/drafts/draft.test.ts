import { describe, expect, test } from "vitest";
import type { TagValues } from "~/domain/content/content";
import { checkTag } from "~/forms/content-check";
import { NEW_TAG, type TagInput, tagInput } from "~/forms/tag-input";
import { type DraftRules, followItem, notTaken, openDraft, typeInto } from "./draft";

const rules: DraftRules<TagValues, TagInput> = {
  fields: Object.keys(NEW_TAG),
  toInput: tagInput,
  read: checkTag,
};
const tag: TagValues = { ...NEW_TAG, title: { ja: "題", en: "" }, position: [1.23456, 2, 3] };
const at = (x: number, y: number, z: number): TagValues => ({ ...tag, position: [x, y, z] });
const place = ({ input }: { readonly input: TagInput }) => [
  input["position.x"],
  input["position.y"],
  input["position.z"],
];

describe("a form and the thing that it is of", () => {
  test("what changes twice at once is shown as it is after both", () => {
    const once = followItem(openDraft(tag, rules), at(1.5, 2, 3), rules);
    expect(place(followItem(once, at(1.5, 2.5, 3), rules))).toEqual(["1.5", "2.5", "3"]);
  });

  test("one typed number writes none of the others back, neither old nor rounded", () => {
    // The thing has moved, and the form was not yet told.
    const { values, draft } = typeInto(
      openDraft(tag, rules),
      { "position.y": "9" },
      at(7.77777, 2, 4),
      rules,
    );
    expect(values).toEqual({ position: [7.77777, 9, 4] });
    expect(place(draft)).toEqual(["7.778", "9", "4"]);
  });

  test("what is wrong stays, with what is said about it, while something else of the thing changes", () => {
    const wrong = typeInto(openDraft(tag, rules), { linkUrl: "no address" }, tag, rules);
    expect(wrong.values).toBeNull();
    const moved = followItem(wrong.draft, at(5, 2, 3), rules);
    expect([moved.input.linkUrl, place(moved)[0]]).toEqual(["no address", "5"]);
    expect(moved.errors).toEqual(wrong.draft.errors);
    expect(Object.keys(moved.errors)).toEqual(["linkUrl"]);
  });

  test("what was typed and saved is not typed anew by what is saved of it", () => {
    const { draft, values } = typeInto(openDraft(tag, rules), { "title.ja": "題 " }, tag, rules);
    const saved = { ...tag, ...values };
    expect(followItem(draft, saved, rules).input["title.ja"]).toBe("題 ");
  });

  test("what the thing does not take yet stays typed beside what is typed next, until it takes all", () => {
    const first = typeInto(openDraft(tag, rules), { "title.ja": "新" }, tag, rules);
    const waiting = notTaken(first.draft, first.values ?? {}, tag);
    const { draft, values } = typeInto(waiting, { "position.y": "9" }, tag, rules);
    expect(values).toMatchObject({ title: { ja: "新" }, position: [1.23456, 9, 3] });
    expect([draft.input["title.ja"], place(draft)[1]]).toEqual(["新", "9"]);
    expect(followItem(draft, { ...tag, ...values }, rules).input).toEqual(draft.input);
  });
});
