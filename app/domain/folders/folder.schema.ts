import * as z from "zod";
import { formError, textField, versionField } from "../shared/fields.schema";
import { FOLDER_NAME_MAX, MEDIA_TITLE_MAX, SPACE_NAME_MAX } from "../shared/limits";
import { spaceNameField } from "../spaces/space.schema";
import type { TreeKind } from "./tree";

const folderNameField = textField({
  max: FOLDER_NAME_MAX,
  required: "folders:errors.folderName.required",
  tooLong: "folders:errors.folderName.tooLong",
});

/** The schema and the maximum length, in characters, of the names of items in folders. */
const NAMES = {
  folder: { field: folderNameField, max: FOLDER_NAME_MAX },
  space: { field: spaceNameField, max: SPACE_NAME_MAX },
  media: {
    field: textField({
      max: MEDIA_TITLE_MAX,
      required: "folders:errors.mediaName.required",
      tooLong: "folders:errors.mediaName.tooLong",
    }),
    max: MEDIA_TITLE_MAX,
  },
} as const satisfies Record<TreeKind, unknown>;

/** Returns the maximum length of an item's name, in characters. */
export const treeNameMax = (kind: TreeKind): number => NAMES[kind].max;

/** The form of a folder: {name}. */
export function createFolderSchema() {
  return z.object({ name: folderNameField }, formError);
}

/** The form that renames a folder, a space or a library item: {version, name}. */
export function createRenameSchema(kind: TreeKind) {
  return z.object({ version: versionField, name: NAMES[kind].field }, formError);
}
