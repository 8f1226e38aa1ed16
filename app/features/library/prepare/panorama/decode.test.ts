import { expect, it, vi } from "vitest";
import { concatBytes, u16le, u32le } from "../../../../../tests/support/files/media-files";
import { decodeImage } from "./decode";

/** A TIFF of one pixel. */
function tiffFile(photometric: number): Blob {
  const entry = (tag: number, value: number) =>
    concatBytes(u16le(tag), u16le(3), u32le(1), u16le(value), u16le(0));
  const entries = [
    ...[entry(256, 1), entry(257, 1), entry(258, 8), entry(259, 1), entry(262, photometric)],
    ...[entry(273, 8), entry(277, 3), entry(278, 1), entry(279, 3)],
  ];
  const header = concatBytes("II*\0", u32le(12), [128, 128, 128, 0]);
  return new Blob([concatBytes(header, u16le(entries.length), ...entries, u32le(0)) as BlobPart]);
}

/** geotiff reads files with the browser's FileReader, which Node does not have. */
class NodeFileReader {
  result: ArrayBuffer | null = null;
  onload: ((event: { readonly target: NodeFileReader }) => void) | null = null;
  async readAsArrayBuffer(blob: Blob): Promise<void> {
    this.result = await blob.arrayBuffer();
    this.onload?.({ target: this });
  }
}
vi.stubGlobal("FileReader", NodeFileReader);

it("a TIFF in CIELab is rejected instead of being shown in wrong colours", async () => {
  await expect(decodeImage(tiffFile(8), "image/tiff", () => {})).rejects.toMatchObject({
    code: "unreadable_picture",
    message: expect.stringContaining("CIELab"),
  });
});
