import * as z from "zod";
import { formError, textField, versionField } from "../shared/fields.schema";
import { GROUP_NAME_MAX } from "../shared/limits";

const nameField = textField({
  max: GROUP_NAME_MAX,
  required: "users:errors.groupNameRequired",
  tooLong: "users:errors.groupNameTooLong",
});

/** The form that creates a group: {name}. */
export const createGroupSchema = () => z.object({ name: nameField }, formError);

/** The form that renames a group: {version, name}. */
export const createGroupRenameSchema = () => z.object({ version: versionField, name: nameField }, formError);
