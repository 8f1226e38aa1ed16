/** Names image formats that the converter and most browsers do not read. */
import { type FileHead, HEAD_BYTES } from "./file-head";

/** Extensions of raw files of cameras. Most of these files begin like TIFF files and contain a small preview, which would be shown instead. */
const CAMERA_RAW = "dng cr2 cr3 nef nrw arw srf sr2 raf orf rw2 pef srw 3fr iiq".split(" ");
/** Beginning of an image in the low-overhead form of HEIF (ISO/IEC 23008-12, 2025). */
const LOW_OVERHEAD = /^\0\0\0.ftypmif3/s;

/** An item of uncompressed pixels (ISO/IEC 23001-17) in a HEIF file, which the bundled libheif cannot decode. */
const UNCOMPRESSED = /infe[\s\S]{8}unci/;

/** Returns the name of an image format that cannot be shown or converted, from the file's beginning; null for other files. */
export function describeUnreadableImage(file: FileHead): string | null {
  if (file.begins("\0\0\0\x0cjP  ") || file.begins("\xff\x4f\xff\x51")) return "JPEG 2000";
  if (file.begins("\0\0\0\x0cJXL ") || file.begins("\xff\x0a")) return "JPEG XL";
  if (file.begins("8BPS")) return "Photoshop";
  if (file.begins("%!PS") || file.begins("\xc5\xd0\xd3\xc6")) return "EPS";
  if (file.begins("qoif")) return "QOI";
  if (file.begins("gimp xcf")) return "GIMP";
  if (file.begins("FUJIFILMCCD-RAW") || file.begins("ftypcrx", 4)) return "RAW";
  if (CAMERA_RAW.includes(file.extension) && !file.begins("\xff\xd8")) return "RAW";
  if (LOW_OVERHEAD.test(file.text(0, 12))) return "HEIF (mif3)";
  if (file.begins("ftyp", 4) && UNCOMPRESSED.test(file.text(0, HEAD_BYTES))) return "uncompressed HEIF";
  if (file.extension === "tga" && file.has(18) && (file.bytes[1] ?? 2) <= 1) return "Targa";
  return null;
}
