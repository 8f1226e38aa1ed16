import { describe, expect, test } from "vitest";
import type { TagValues } from "~/domain/content/content";
import { checkTag } from "~/forms/content/content-check";
import { NEW_TAG, type TagFormInput, tagInput } from "~/forms/content/tag-form-input";
import { applyInput, type DraftRules, followItem, markUnaccepted, openDraft } from "./draft";

const rules: DraftRules<TagValues, TagFormInput> = {
  fields: Object.keys(NEW_TAG),
  toInput: tagInput,
  read: checkTag,
};
const tag: TagValues = { ...NEW_TAG, title: { ja: "題", en: "" }, position: [1.23456, 2, 3] };
const tagAt = (x: number, y: number, z: number): TagValues => ({ ...tag, position: [x, y, z] });
const positionInputs = ({ input }: { readonly input: TagFormInput }) => [
  input["position.x"],
  input["position.y"],
  input["position.z"],
];

describe("a form and its item", () => {
  test("shows the result of both changes when the item changes twice at once", () => {
    const followed = followItem(openDraft(tag, rules), tagAt(1.5, 2, 3), rules);
    expect(positionInputs(followItem(followed, tagAt(1.5, 2.5, 3), rules))).toEqual(["1.5", "2.5", "3"]);
  });

  test("typing one number does not write the other numbers back, neither stale nor rounded", () => {
    // The item has moved, and the form has not received the new position yet.
    const { values, draft } = applyInput(
      openDraft(tag, rules),
      { "position.y": "9" },
      tagAt(7.77777, 2, 4),
      rules,
    );
    expect(values).toEqual({ position: [7.77777, 9, 4] });
    expect(positionInputs(draft)).toEqual(["7.778", "9", "4"]);
  });

  test("invalid input and its message stay while another field of the item changes", () => {
    const invalid = applyInput(openDraft(tag, rules), { linkUrl: "no address" }, tag, rules);
    expect(invalid.values).toBeNull();
    const moved = followItem(invalid.draft, tagAt(5, 2, 3), rules);
    expect([moved.input.linkUrl, positionInputs(moved)[0]]).toEqual(["no address", "5"]);
    expect(moved.errors).toEqual(invalid.draft.errors);
    expect(Object.keys(moved.errors)).toEqual(["linkUrl"]);
  });

  test("a saved value does not replace the text that it was typed as", () => {
    const { draft, values } = applyInput(openDraft(tag, rules), { "title.ja": "題 " }, tag, rules);
    const saved = { ...tag, ...values };
    expect(followItem(draft, saved, rules).input["title.ja"]).toBe("題 ");
  });

  test("input that the item rejects is applied again with the next input, and stays when the item accepts both", () => {
    const typed = applyInput(openDraft(tag, rules), { "title.ja": "新" }, tag, rules);
    const unaccepted = markUnaccepted(typed.draft, typed.values ?? {}, tag);
    const { draft, values } = applyInput(unaccepted, { "position.y": "9" }, tag, rules);
    expect(values).toMatchObject({ title: { ja: "新" }, position: [1.23456, 9, 3] });
    expect([draft.input["title.ja"], positionInputs(draft)[1]]).toEqual(["新", "9"]);
    expect(followItem(draft, { ...tag, ...values }, rules).input).toEqual(draft.input);
  });
});
