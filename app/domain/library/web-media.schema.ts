import * as z from "zod";
import { field, formError, optionalUuidField, readText, versionField } from "../shared/fields.schema";
import { MEDIA_TITLE_MAX } from "../shared/limits";
import type { WebUrlMatch } from "./oembed.schema";
import { matchProvider } from "./web-media";

/** The URL of a web media item of a supported provider. */
export const webUrlField = field<WebUrlMatch, string>((value) => {
  if (value === undefined || value === null) return { error: "library:errors.webMedia.required" };
  if (typeof value !== "string") return { error: "library:errors.webMedia.invalid" };
  const match = matchProvider(value);
  return "error" in match ? { error: match.error } : { value: match };
});

/** The title of a web media item; empty to use the provider's title. */
const titleField = field<string, string | null | undefined>((value) =>
  readText(value, { max: MEDIA_TITLE_MAX, tooLong: "folders:errors.mediaName.tooLong" }),
);

/** Returns the schema of the form that replaces a web media item's URL: {url, version}. */
export function createWebChangeSchema() {
  return z.object({ url: webUrlField, version: versionField }, formError);
}

/** Returns the schema of the form that adds a web media item to the library: {url, title?, folderId?}. */
export function createWebMediaSchema() {
  return z.object({ url: webUrlField, title: titleField, folderId: optionalUuidField }, formError);
}
