import { describe, expect, it } from "vitest";
import { resources } from "~/i18n/resources.server";
import { SNIFF_BYTES, sniffMedia } from "../sniff-media";
import { findRejectedFormat, REJECTED_FORMATS } from "./rejected-formats";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const OLE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

describe("the check for unsupported formats", () => {
  it.each([
    ["gltfOld", "a.glb", "glTF\x01\0\0\0\x14\0\0\0"],
    ["gltfOld", "a.gltf", '{"asset": {"version": "1.0"}, "buffers": {}}'],
    ["blend", "a.blend", "BLENDER-v300"],
    ["blend", "a.blend", "\x1f\x8b\x08\0"],
    ["max", "a.max", OLE],
    ["revit", "a.rvt", OLE],
    ["sketchup", "a.skp", "\xff\xfe\xff\x0eS\0k\0e\0t\0c\0h\0U\0p\0"],
    ["maya", "a.ma", "//Maya ASCII 2020 scene\n"],
    ["cinema4d", "a.c4d", "QC4DC4D6"],
    ["threeDs", "a.3ds", "MM\x10\0\0\0"],
    ["dwg", "a.dwg", "AC1032\0\0"],
    ["dxf", "a.dxf", "  0\r\nSECTION\r\n"],
    ["step", "a.step", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));"],
    ["rhino", "a.3dm", "3D Geometry File Format   50"],
    ["e57", "a.e57", "ASTM-E57"],
    ["usdLayers", "a.usda", '#usda 1.0\ndef Xform "a" (references = @./chair.usd@) {}'],
    ["picture", "a.jp2", "\0\0\0\x0cjP  \r\n\x87\n"],
    ["picture", "a.jxl", "\xff\x0a\0\0"],
    ["picture", "a.psd", "8BPS\0\x01"],
    ["picture", "a.dng", "II*\0\x08\0\0\0"],
    ["picture", "a.avif", "\0\0\0\x10ftypmif3avif"],
    ["picture", "a.heif", `\0\0\0\x10ftypmif1\0\0\0\0\0\0\0\x15infe\x02\0\0\0\0\x01\0\0unci\0`],
    ["picture", "a.tga", `\0\0\x02${"\0".repeat(15)}`],
    ["mtl", "a.mtl", "# Blender\nnewmtl wood\nKd 1 1 1\n"],
  ])("rejects as %s: %s", (format, name, text) => {
    expect(findRejectedFormat(bytes(text), name, text.length)?.format).toBe(format);
  });

  it("rejects an old FBX file with its version, and no newer one", () => {
    const binary = bytes("Kaydara FBX Binary  \0\x1a\0\xd4\x17\0\0");
    expect(findRejectedFormat(binary, "a.fbx")).toEqual({ format: "fbxOld", values: { version: "6.1" } });
    const text =
      "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 6100\n";
    expect(findRejectedFormat(bytes(text), "a.fbx")).toEqual({
      format: "fbxOld",
      values: { version: "6.1" },
    });
    expect(findRejectedFormat(bytes("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0"), "a.fbx")).toBeNull();
  });

  it.each([
    ["a picture", "a.blend.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    ["a TIFF that begins like a 3DS file", "a.tif", "MM\0*\0\0\0\x08"],
    ["a TIFF picture", "a.tif", "II*\0\x08\0\0\0"],
    ["an AVIF picture", "a.avif", "\0\0\0\x1cftypavif\0\0\0\0mif1"],
    ["an IFC building", "a.ifc", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));"],
    ["a model in glTF", "a.glb", "glTF\x02\0\0\0\x14\0\0\0"],
  ])("does not reject %s", (_, name, text) => {
    expect(findRejectedFormat(bytes(text), name, text.length)).toBeNull();
  });

  it("has a message for each format in both languages", () => {
    for (const format of REJECTED_FORMATS)
      for (const { library } of [resources.en, resources.ja])
        expect(library.errors.upload.format[format].length).toBeGreaterThan(10);
  });
});

describe("a convertible model", () => {
  it.each([
    ["application/x-fbx", "a", "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0"],
    ["model/stl", "a", "solid a\n facet normal 0 0 1\n"],
    ["model/obj", "a.obj", "# a\nmtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2/2 3/3\n"],
    ["model/obj", "a.txt", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"],
    [
      "model/x-ply",
      "a",
      "ply \nformat ascii 1.0   \nelement vertex 8   \nproperty float x \nproperty float y\nproperty float z\nend_header\n",
    ],
    ["model/vnd.collada+xml", "a", '<?xml version="1.0"?>\n<!-- a - b -->\n<COLLADA version="1.4.1">'],
    ["model/vnd.usda", "a", "#usda 1.0\n"],
    ["model/x-usdc", "a", "PXR-USDC\0\x08"],
    ["application/x-ifc", "a", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA (( 'IFC2X3' ));"],
  ])("is recognised as %s", async (type, name, text) => {
    expect(await sniffMedia(bytes(text), name, text.length)).toEqual({ kind: "model", mimeType: type });
  });

  it.each([
    ["a note", "a.txt", "# shopping\nv is for vegetables\n"],
    ["a note named as an OBJ", "a.obj", "This is a long note.\nIt is about nothing.\nv\n"],
    ["a page named as an STL", "a.stl", "<html><body>solid</body></html>"],
    [
      "a text document in a zip archive",
      "a.docx",
      "PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x11\0\0\0word/document.xml",
    ],
  ])("is not %s", async (_, name, text) => {
    expect(await sniffMedia(bytes(text), name, text.length)).toBeNull();
  });

  it("is not a PLY file with splats", async () => {
    const names = ["x", "y", "z", "f_dc_0", "opacity", "scale_0", "rot_0"];
    const head = `ply\nformat binary_little_endian 1.0\nelement vertex 2\n${names.map((name) => `property float ${name}\n`).join("")}end_header\n`;
    expect((await sniffMedia(bytes(head), "a.ply", SNIFF_BYTES))?.kind).toBe("splat");
  });
});
