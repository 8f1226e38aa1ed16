import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import { contrastColor, relativeLuminance } from "./contrast-color";

describe("the contrast colour on a background", () => {
  it("is white on dark colours and black on light ones", () => {
    expect(contrastColor("#3b4fa8")).toBe("white");
    expect(contrastColor("#ffe14d")).toBe("black");
    expect(contrastColor("not a colour")).toBe("white");
    expect(relativeLuminance("#ffffff")).toBeCloseTo(1);
    expect(relativeLuminance("#000000")).toBe(0);
  });

  testProperty("always has a contrast of at least 4.5", [fc.integer({ min: 0, max: 0xffffff })], (value) => {
    const color = `#${value.toString(16).padStart(6, "0")}`;
    const luminance = relativeLuminance(color);
    const contrast = contrastColor(color) === "white" ? 1.05 / (luminance + 0.05) : (luminance + 0.05) / 0.05;
    expect(contrast).toBeGreaterThanOrEqual(4.5);
  });
});
