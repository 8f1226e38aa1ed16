import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkMediaItem, checkTag } from "./content-check";
import { mediaItemInput, readMediaItemInput } from "./media-item-input";
import { getStemDirection, NEW_TAG, readTagInput, TAG_INPUT_NAMES, tagInput } from "./tag-form-input";

/** Real numbers without −0, because forms do not distinguish it from 0 but `toEqual` does. */
const realNumber = (min: number, max: number) =>
  fc.double({ min, max, noNaN: true }).map((value) => value + 0);
const coordinate = realNumber(-9000, 9000);
const vector = fc.tuple(coordinate, coordinate, coordinate);
const tag = fc.record({
  title: fc.constant({ ja: "題", en: "Title" }),
  position: fc.option(vector),
  stem: fc.tuple(realNumber(-2, 2), fc.constant(0.5), fc.constant(-0.25)),
  viewpoint: fc.option(
    fc.record({
      position: vector,
      yaw: realNumber(-3, 3),
      pitch: realNumber(-1.5, 1.5),
      mode: fc.constantFrom("walk" as const, "orbit" as const),
    }),
  ),
  hidden: fc.boolean(),
});

function createForm(input: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(input))
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item));
  return form;
}

describe("a tag's form", () => {
  test("equals the tag exactly while it is untouched", () => {
    fc.assert(
      fc.property(tag, (values) => {
        const saved = { ...NEW_TAG, ...values };
        const { media, ...fields } = tagInput(saved);
        const input = readTagInput(createForm({ ...fields, media }));
        const checked = checkTag(input, saved);
        expect(checked.errors).toEqual({});
        expect(checked.values).toEqual(saved);
      }),
    );
  });

  test("keeps a language when the other one is edited, and the normal when the stem's length is edited", () => {
    const saved = { ...NEW_TAG, title: { ja: "題", en: "" }, stem: [0, 0, 0.3] as const };
    const input = { ...tagInput(saved), "title.en": "Title", length: "0.6" };
    const { values } = checkTag(input, saved);
    expect(values.title).toEqual({ ja: "題", en: "Title" });
    expect(values.stem?.map((value) => Math.round(value * 1000))).toEqual([0, 0, 600]);
  });

  test("has an upward direction for a stem without length", () => {
    expect(getStemDirection([0, 0, 0])).toEqual([0, 1, 0]);
  });

  test.each([
    ["position.x", "far", "position", "shared-owners:errors.field.x"],
    ["position.y", "", "position", "shared-owners:errors.field.y"],
    ["position.z", "10001", "position", "shared-owners:errors.field.z"],
    ["length", "-1", "stem", "shared-owners:errors.field.length"],
    ["normal.x", "NaN", "stem", "shared-owners:errors.field.x"],
    ["color", "blue", "color", "content:errors.tag.color"],
    ["linkUrl", "javascript:alert(1)", "linkUrl", "shared-owners:errors.linkUrl.invalid"],
    ["view.x", "1e9", "viewpoint", "shared-owners:errors.field.x"],
    ["view.yaw", "west", "viewpoint", "shared-owners:errors.field.yaw"],
    ["view.pitch", "91", "viewpoint", "shared-owners:errors.field.pitch"],
  ] as const)(
    "rejects the field %s with the value %j, and keeps the other values",
    (name, typed, value, message) => {
      const saved = {
        ...NEW_TAG,
        title: { ja: "題", en: "" },
        position: [1, 2, 3] as const,
        viewpoint: { position: [0, 1.6, 0] as const, yaw: 0, pitch: 0, mode: "walk" as const },
      };
      const checked = checkTag({ ...tagInput(saved), [name]: typed }, saved);
      expect(checked.errors).toEqual({ [name]: [message] });
      expect({ ...checked.values, [value]: saved[value] }).toEqual(saved);
      expect(checked.values).not.toHaveProperty(value);
    },
  );

  test("rejects an invalid direction and an invalid product", () => {
    const invalidFields = { "normal.x": "0", "normal.y": "0", "normal.z": "0", "product.id": "no number" };
    const { errors } = checkTag(
      { ...tagInput({ ...NEW_TAG, title: { ja: "題", en: "" } }), ...invalidFields },
      NEW_TAG,
    );
    expect(errors).toEqual({
      "normal.x": ["shared-owners:errors.field.direction"],
      product: ["shared-owners:errors.field.invalid"],
    });
  });

  test("accepts a product by its number", () => {
    const input = {
      ...tagInput({ ...NEW_TAG, title: { ja: "題", en: "" } }),
      "product.id": "42",
      "product.title": "Cup",
    };
    expect(checkTag(input, NEW_TAG).values.product).toEqual({
      id: "gid://shopify/Product/42",
      title: "Cup",
    });
  });

  test("has a field for every value that is parsed", () => {
    expect(TAG_INPUT_NAMES.every((name) => Object.hasOwn(tagInput(NEW_TAG), name))).toBe(true);
  });
});

describe("the form of a media item", () => {
  const placement = {
    position: [1.23456, 1.5, -2] as const,
    normal: [0.6, 0, 0.8] as const,
    width: 1.23456,
    rotation: 0.1234567,
    play: "auto" as const,
    reach: 8,
  };
  const saved = {
    title: { ja: "絵", en: "Picture" },
    description: { ja: "", en: "" },
    placement,
    hidden: true,
  };

  test("equals the media item exactly while it is untouched", () => {
    const checked = checkMediaItem(readMediaItemInput(createForm(mediaItemInput(saved))), saved);
    expect(checked).toEqual({ values: saved, errors: {} });
  });

  test("places nothing without a position, and rejects an invalid width, normal, position or rotation", () => {
    const noPosition = { "position.x": "", "position.y": "", "position.z": "" };
    expect(checkMediaItem({ ...mediaItemInput(saved), ...noPosition }, saved).values.placement).toBeNull();
    const invalidWidth = checkMediaItem({ ...mediaItemInput(saved), width: "-3" }, saved);
    expect(invalidWidth.errors).toEqual({ width: ["content:errors.media.width"] });
    const zeroNormal = { "normal.x": "0", "normal.y": "0", "normal.z": "0" };
    expect(checkMediaItem({ ...mediaItemInput(saved), ...zeroNormal }, saved).errors).toEqual({
      "normal.x": ["shared-owners:errors.field.direction"],
    });
    const farPosition = { "position.y": "999999", rotation: "round" };
    expect(checkMediaItem({ ...mediaItemInput(saved), ...farPosition }, saved).errors).toEqual({
      "position.y": ["shared-owners:errors.field.y"],
      rotation: ["shared-owners:errors.field.yaw"],
    });
  });
});
