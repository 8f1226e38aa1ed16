import { describe, expect, it } from "vitest";
import { sniffMedia } from "../sniff-media";
import { isLightType } from "./sniff-light";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("an HDR panorama", () => {
  it("is recognised by its first bytes in a file that is named as a JPEG", async () => {
    for (const [text, mimeType] of [
      ["#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 512 +X 1024\n", "image/vnd.radiance"],
      ["#?RGBE\n\n-Y 2 +X 4\n", "image/vnd.radiance"],
      ["\x76\x2f\x31\x01\x02\0\0\0channels\0", "image/x-exr"],
    ] as const) {
      expect(await sniffMedia(bytes(text), "light.jpg")).toEqual({ kind: "image", mimeType });
      expect(isLightType(mimeType)).toBe(true);
    }
  });

  it("is not recognised in similar files", async () => {
    for (const text of ["#?RADIANCES\n", "# RADIANCE\n", "\x76\x2f\x31\x01\x01\0\0\0"])
      expect(isLightType((await sniffMedia(bytes(text), "light.hdr"))?.mimeType ?? "")).toBe(false);
    expect(isLightType("image/png")).toBe(false);
  });
});
