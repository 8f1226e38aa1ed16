import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import { shortestTurn } from "./angles";
import { decodeViewpoint, encodeViewpoint, readViewerLink, viewerLink } from "./viewpoint-link";

const view = { position: [1.204, 1.6, -3], yaw: Math.PI / 2, pitch: -0.1, mode: "walk" } as const;

describe("a link to a viewpoint", () => {
  it("is short, readable and made of characters that a query does not escape", () => {
    expect(encodeViewpoint(view)).toBe("w_1.2_1.6_-3_90_-5.7");
    expect(encodeViewpoint({ ...view, nodeId: "room_2" })).toBe("w_1.2_1.6_-3_90_-5.7_room_2");
    const link = viewerLink("https://a.example/event/published/1?token=t&lang=en#tag-9", view, "abc");
    expect(link).toBe(
      "https://a.example/event/published/1?token=t&lang=en&view=w_1.2_1.6_-3_90_-5.7&tag=abc",
    );
    expect(viewerLink(link, null, null)).toBe("https://a.example/event/published/1?token=t&lang=en");
  });

  it("rejects text of another form and numbers out of range", () => {
    for (const text of [
      "",
      "w",
      "w_1_2_3_4",
      "x_1_2_3_4_5",
      "w_NaN_2_3_4_5",
      "w_Infinity_2_3_4_5",
      "w_1e9_2_3_4_5",
      "w_0x10_2_3_4_5",
      "w_99999_2_3_4_5",
      "w_1_2_3_400_5",
      "w_1_2_3_4_91",
      "w__2_3_4_5",
      "w_1_2_3_4_5_",
      "w_1_2_3_4_5_<script>",
      "walk_1_2_3_4_5",
      `w_1_2_3_4_5_${"n".repeat(200)}`,
      "constructor_1_2_3_4_5",
    ])
      expect(decodeViewpoint(text), text).toBeNull();
    expect(decodeViewpoint(null)).toBeNull();
  });

  it("never contains an invalid number", () => {
    const text = encodeViewpoint({
      position: [Number.NaN, Number.POSITIVE_INFINITY, 1e300],
      yaw: Number.NaN,
      pitch: 9,
      mode: "plan",
    });
    expect(decodeViewpoint(text)).toMatchObject({ position: [0, 0, 10_000], yaw: 0, mode: "plan" });
  });

  it("reads the viewpoint and the tag from the page's URL", () => {
    expect(readViewerLink(new URLSearchParams("view=w_1_2_3_180_0&tag=a-1"))).toEqual({
      viewpoint: { position: [1, 2, 3], yaw: Math.PI, pitch: 0, mode: "walk" },
      tagId: "a-1",
    });
    expect(readViewerLink(new URLSearchParams("view=no&tag=%00"))).toEqual({ viewpoint: null, tagId: null });
  });

  testProperty(
    "is restored within a centimetre and a tenth of a degree",
    [
      fc.tuple(
        fc.double({ min: -999, max: 999, noNaN: true }),
        fc.double({ min: -999, max: 999, noNaN: true }),
        fc.double({ min: -999, max: 999, noNaN: true }),
      ),
      fc.double({ min: -10, max: 10, noNaN: true }),
      fc.double({ min: -1.57, max: 1.57, noNaN: true }),
      fc.constantFrom("walk" as const, "orbit" as const, "plan" as const),
      fc.option(fc.stringMatching(/^[A-Za-z0-9_.-]{1,64}$/), { nil: undefined }),
    ],
    (position, yaw, pitch, mode, nodeId) => {
      const decoded = decodeViewpoint(encodeViewpoint({ position, yaw, pitch, mode, nodeId }));
      expect(decoded?.mode).toBe(mode);
      expect(decoded?.nodeId).toBe(nodeId);
      for (const [axis, value] of position.entries())
        expect(Math.abs((decoded?.position[axis] ?? 1e9) - value)).toBeLessThanOrEqual(0.0051);
      expect(Math.abs(shortestTurn(yaw, decoded?.yaw ?? 9))).toBeLessThan(0.001);
      expect(Math.abs((decoded?.pitch ?? 9) - pitch)).toBeLessThan(0.001);
    },
  );

  testProperty("never throws on text from a URL", [fc.string()], (text) => {
    const viewpoint = decodeViewpoint(text);
    if (viewpoint) expect(decodeViewpoint(encodeViewpoint(viewpoint))).toEqual(viewpoint);
  });
});
