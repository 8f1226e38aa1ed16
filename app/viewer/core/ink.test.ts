import { describe, expect, it } from "vitest";
import { fc, test } from "../../../tests/viewer/shapes";
import { inkOn, luminance } from "./ink";

describe("ink on a colour", () => {
  it("is white on dark and black on light", () => {
    expect(inkOn("#3b4fa8")).toBe("white");
    expect(inkOn("#ffe14d")).toBe("black");
    expect(inkOn("not a colour")).toBe("white");
    expect(luminance("#ffffff")).toBeCloseTo(1);
    expect(luminance("#000000")).toBe(0);
  });

  test("always has a contrast of at least 4.5", [fc.integer({ min: 0, max: 0xffffff })], (value) => {
    const color = `#${value.toString(16).padStart(6, "0")}`;
    const light = luminance(color);
    const contrast = inkOn(color) === "white" ? 1.05 / (light + 0.05) : (light + 0.05) / 0.05;
    expect(contrast).toBeGreaterThanOrEqual(4.5);
  });
});
