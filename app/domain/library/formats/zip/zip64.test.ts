import { unzipSync } from "three/examples/jsm/libs/fflate.module.js";
import { expect, it } from "vitest";
import { fillZip64Fields } from "./zip64";

const u16 = (value: number) => [value & 255, value >> 8];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
const text = (characters: string) => [...Buffer.from(characters)];

/** Creates an archive of one stored file whose sizes are only in the extra field, as lib3mf writes it. */
function createZip64File(): { bytes: Uint8Array; start: number } {
  const [name, content] = [text("3D/3dmodel.model"), text("<model/>")];
  const sizes = [...u32(content.length), ...u32(0)];
  const localHeader = [...text("PK\x03\x04"), ...u16(45), ...u16(0), ...u16(0), ...u32(0), ...u32(0)];
  const file = [
    ...localHeader,
    ...u32(0xffffffff),
    ...u32(0xffffffff),
    ...u16(name.length),
    ...u16(0),
    ...name,
  ];
  const start = file.length + content.length;
  const entry = [...text("PK\x01\x02"), ...u16(45), ...u16(45), ...u16(0), ...u16(0), ...u32(0), ...u32(0)];
  const lengths = [...u32(0xffffffff), ...u32(0xffffffff), ...u16(name.length), ...u16(20), ...u16(0)];
  const extraField = [...u16(1), ...u16(16), ...sizes, ...sizes];
  const directory = [
    ...entry,
    ...lengths,
    ...u16(0),
    ...u16(0),
    ...u32(0),
    ...u32(0),
    ...name,
    ...extraField,
  ];
  const end = [...text("PK\x05\x06"), ...u16(0), ...u16(0), ...u16(1), ...u16(1), ...u32(directory.length)];
  const archive = [...file, ...content, ...directory, ...end, ...u32(start), ...u16(0)];
  return { bytes: Uint8Array.from(archive), start };
}

it("makes a small ZIP64 archive readable", () => {
  const { bytes, start } = createZip64File();
  fillZip64Fields(bytes, start, 1);
  expect(new TextDecoder().decode(unzipSync(bytes)["3D/3dmodel.model"])).toBe("<model/>");
});

it("does not throw for truncated archives", () => {
  const { bytes, start } = createZip64File();
  for (let length = 0; length < bytes.length; length++)
    expect(() => fillZip64Fields(bytes.slice(0, length), start, 9)).not.toThrow();
});
