import { describe, expect, it } from "vitest";
import type { FloorPlan, Viewpoint } from "~/domain/shared/model";
import { checkPlan, checkStart, checkStop } from "./scene-check";
import { NEW_STOP, planInput, startInput, stopInput } from "./scene-input";

const view: Viewpoint = {
  position: [1.23456, 1.6, -2],
  yaw: 1.2345678,
  pitch: 0.1,
  mode: "walk",
  nodeId: "n1",
};
const TAG = "00000000-0000-4000-8000-000000000001";

describe("the form of the start view", () => {
  const untouchedInput = startInput({ startView: view });

  it("keeps untouched values exactly, to the last digit", () => {
    expect(checkStart(untouchedInput, { startView: view })).toEqual({
      values: { startView: view },
      errors: {},
    });
  });

  it("reads degrees and metres, and is null without numbers", () => {
    const typed = { ...untouchedInput, "view.yaw": "90", "view.pitch": "", "view.node": "" };
    expect(checkStart(typed, { startView: view }).values.startView).toEqual({
      position: [1.235, 1.6, -2],
      pitch: 0,
      mode: "walk",
      yaw: expect.closeTo(Math.PI / 2),
    });
    const noView = startInput({ startView: null });
    expect(checkStart(noView, { startView: null })).toEqual({ values: { startView: null }, errors: {} });
  });

  it.each([
    ["view.x", "NaN", "shared-owners:errors.field.x"],
    ["view.y", "1e999", "shared-owners:errors.field.y"],
    ["view.z", "10001", "shared-owners:errors.field.z"],
    ["view.z", "", "shared-owners:errors.field.z"],
    ["view.yaw", "Infinity", "shared-owners:errors.field.yaw"],
    ["view.pitch", "91", "shared-owners:errors.field.pitch"],
    ["view.mode", "fly", "shared-owners:errors.field.invalid"],
    ["view.node", "../x", "shared-owners:errors.field.invalid"],
  ])("reports only %s for %j", (name, value, message) => {
    const { values, errors } = checkStart({ ...untouchedInput, [name]: value }, { startView: view });
    expect([values, errors]).toEqual([{}, { [name]: [message] }]);
  });
});

describe("the form of a stop", () => {
  const saved = { ...NEW_STOP, tagId: TAG, viewpoint: view, title: { ja: "一", en: "" } };

  it("keeps untouched values exactly", () => {
    const exact = { ...saved, seconds: 7.65432 };
    expect(checkStop(stopInput(exact), exact)).toEqual({ values: exact, errors: {} });
  });

  it("accepts valid values, but no tag with an invalid view, and reports each invalid value", () => {
    const { values, errors } = checkStop(
      { ...stopInput(saved), seconds: "0", "title.en": "One", "view.x": "?", "text.ja": "あ".repeat(1001) },
      saved,
    );
    expect(values).toEqual({ title: { ja: "一", en: "One" } });
    expect(errors).toEqual({
      "text.ja": ["content:errors.tour.textTooLong"],
      seconds: ["content:errors.tour.seconds"],
      "view.x": ["shared-owners:errors.field.x"],
    });
  });

  it("needs a tag or a view", () => {
    const input = { ...stopInput(NEW_STOP), "title.ja": "一" };
    expect(checkStop(input, NEW_STOP).errors).toEqual({ viewpoint: ["content:errors.tour.nowhere"] });
    expect(checkStop({ ...input, tagId: TAG }, NEW_STOP)).toMatchObject({
      values: { tagId: TAG },
      errors: {},
    });
    expect(checkStop(stopInput({ ...NEW_STOP, viewpoint: view }), NEW_STOP).errors).toEqual({});
  });
});

describe("the form of the floor plan", () => {
  const plan: FloorPlan = { mediaId: TAG, center: [0.33333333, 2], width: 12.34567, rotation: 0.123456 };
  const untouchedInput = planInput({ plan });

  it("keeps untouched values", () => {
    expect(checkPlan(untouchedInput, { plan })).toEqual({ values: { plan }, errors: {} });
    expect(checkPlan({ ...untouchedInput, "center.x": "7" }, { plan }).values.plan).toEqual({
      ...plan,
      center: [7, 2],
    });
  });

  it("is null without an image, unless a number field is changed", () => {
    expect(checkPlan({ ...untouchedInput, mediaId: "" }, { plan })).toEqual({
      values: { plan: null },
      errors: {},
    });
    expect(checkPlan(planInput({ plan: null }), { plan })).toEqual({ values: { plan: null }, errors: {} });
    const invalidPlan = { ...planInput({ plan: null }), width: "wide" };
    expect(Object.keys(checkPlan(invalidPlan, { plan: null }).errors).sort()).toEqual([
      "center.x",
      "center.z",
      "mediaId",
      "width",
    ]);
  });

  it.each([
    ["center.x", "NaN", "shared-owners:errors.field.x"],
    ["center.z", "10001", "shared-owners:errors.field.z"],
    ["width", "0", "content:errors.plan.width"],
    ["width", "1e9", "content:errors.plan.width"],
    ["rotation", "one", "shared-owners:errors.field.yaw"],
    ["mediaId", "x", "content:errors.plan.mediaItem"],
  ])("reports %s for %j", (name, value, message) => {
    expect(checkPlan({ ...untouchedInput, [name]: value }, { plan })).toEqual({
      values: {},
      errors: { [name]: [message] },
    });
  });

  it("reports several errors at once", () => {
    const { errors } = checkPlan({ ...untouchedInput, width: "0", "center.z": "NaN" }, { plan });
    expect(Object.keys(errors)).toEqual(["center.z", "width"]);
  });
});
