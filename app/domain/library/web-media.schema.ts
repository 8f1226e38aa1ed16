import * as z from "zod";
import { field, formError, optionalUuidField, readText, versionField } from "../shared/fields.schema";
import { MEDIA_TITLE_MAX } from "../shared/limits";
import type { WebAddressMatch } from "./oembed.schema";
import { matchProvider } from "./web-media";

/** The address of a web medium, of one of our providers. */
export const webAddressField = field<WebAddressMatch, string>((value) => {
  if (value === undefined || value === null) return { error: "library:errors.webMedia.required" };
  if (typeof value !== "string") return { error: "library:errors.webMedia.invalid" };
  const match = matchProvider(value);
  return "error" in match ? { error: match.error } : { value: match };
});

/** The name of a web medium; empty for its provider's. */
const titleField = field<string, string | null | undefined>((value) =>
  readText(value, { max: MEDIA_TITLE_MAX, tooLong: "folders:errors.mediaName.tooLong" }),
);

/** The form that puts another address in the place of a web medium's: {url, version}. */
export function createWebChangeSchema() {
  return z.object({ url: webAddressField, version: versionField }, formError);
}

/** The form that takes a web medium into the library: {url, title?, folderId?}. */
export function createWebMediaSchema() {
  return z.object({ url: webAddressField, title: titleField, folderId: optionalUuidField }, formError);
}
