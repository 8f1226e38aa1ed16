import { field, textField } from "../shared/fields.schema";
import { SPACE_NAME_MAX } from "../shared/limits";
import { hasSeveralLinks } from "../shared/several-links";
import { parseShowcaseId, type ShowcaseId } from "./sid";

/** The name of a space. */
export const spaceNameField = textField({
  max: SPACE_NAME_MAX,
  required: "folders:errors.spaceName.required",
  tooLong: "folders:errors.spaceName.tooLong",
});

/** Matches a link to a file from which a space can be created, such as https://example.com/model.glb. */
const SOURCE_FILE_LINK = /\.(glb|gltf|zip|ply|splat|spz|jpe?g|png|webp)\s*$/i;

/** Returns the error for a text that does not contain a showcase. */
export const showcaseProblem = (text: string) =>
  hasSeveralLinks(text)
    ? ("spaces:errors.showcase.several" as const)
    : SOURCE_FILE_LINK.test(text)
      ? ("spaces:errors.showcase.file" as const)
      : ("spaces:errors.showcase.invalid" as const);

/** The id or the URL of a showcase. */
export const showcaseField = field<ShowcaseId, string>((value) => {
  if (value === undefined || value === null) return { error: "spaces:errors.showcase.required" };
  if (typeof value !== "string") return { error: "spaces:errors.showcase.invalid" };
  if (value.length < 100 && value.trim() === "") return { error: "spaces:errors.showcase.required" };
  const id = parseShowcaseId(value);
  return id === null ? { error: showcaseProblem(value) } : { value: id };
});
