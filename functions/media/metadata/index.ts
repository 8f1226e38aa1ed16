/** Finds the metadata about people in files, so that visitors receive the files without it (decision 047). */
import { SNIFF_BYTES, sniffMedia } from "~/domain/library/sniff-media";
import { type Overwrite, OverwriteList } from "../overwrites";
import { type Ranges, ReadBudgetError } from "../range-reader";
import { blankGif } from "./gif";
import { blankIsobmff } from "./isobmff";
import { blankJpeg } from "./jpeg";
import { blankPng } from "./png";
import { blankTiff } from "./tiff";
import { blankWebp } from "./webp";

type Blank = (file: Ranges, list: OverwriteList) => Promise<void>;

const blankImage: Blank = (file, list) => blankIsobmff(file, list, true);
const blankVideo: Blank = (file, list) => blankIsobmff(file, list, false);

const FORMATS: Readonly<Record<string, Blank>> = {
  "image/jpeg": blankJpeg,
  "image/png": blankPng,
  "image/webp": blankWebp,
  "image/gif": blankGif,
  "image/tiff": blankTiff,
  "image/heic": blankImage,
  "image/heif": blankImage,
  "image/avif": blankImage,
  "video/mp4": blankVideo,
  "video/quicktime": blankVideo,
  "audio/mp4": blankVideo,
};

/**
 * Returns the parts of a file to be overwritten before visitors receive it: IPTC, comments, previews, positions and dates
 * of videos, Exif and XMP (except the orientation and GPano), and everything after the end of an image. Damage
 * causes no error: the parts before it are overwritten. A file that exceeds a limit of reads, boxes or items is blanked
 * completely, because only crafted files do. isobmff.ts has the exceptions for videos.
 */
export async function findMetadata(file: Ranges): Promise<readonly Overwrite[]> {
  const sniffed = await sniffMedia(await file.read(0, SNIFF_BYTES), "", file.size);
  const blank = sniffed && FORMATS[sniffed.mimeType];
  if (!blank) return [];
  const list = new OverwriteList(file.size);
  try {
    await blank(file, list);
  } catch (error) {
    if (!(error instanceof ReadBudgetError || error instanceof RangeError)) throw error;
    if (error instanceof ReadBudgetError) list.fill(0, file.size);
  }
  return list.toArray();
}
