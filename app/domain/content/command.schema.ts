/** Reads a command from a request. The errors are listed by field. */
import type * as z from "zod";
import { optionalViewpointField, readInteger } from "../shared/fields.schema";
import { isUuid } from "../shared/ids";
import { isRecord } from "../shared/is-record";
import { EVENT_TAGS_MAX } from "../shared/limits";
import type { ContentCommand, MediaValues, PartType, SceneValues, TagValues } from "./content";
import { createEventMediaCreateSchema, createEventMediaSchema } from "./event-media.schema";
import { planField, tourField } from "./scene.schema";
import { createTagSchema, productsField } from "./tag.schema";

/** Message keys by field. The empty name stands for the whole command. */
export type CommandErrors = Readonly<Record<string, readonly string[]>>;
/** The result of reading a command. `id` is the id in the request, so that the response can name it; empty if it is not a UUID, and for move_tags. */
export type ReadCommand =
  | { readonly command: ContentCommand }
  | { readonly id: string; readonly errors: CommandErrors };

type Raw = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodType>>;
type Checked<T> = { readonly values: T } | { readonly errors: CommandErrors };

const { version: _tagVersion, ...tagShape } = createTagSchema().shape;
const { version: _mediaVersion, ...mediaShape } = createEventMediaSchema().shape;
const newMediaShape = createEventMediaCreateSchema().shape;
const sceneShape = {
  startView: optionalViewpointField,
  tour: tourField,
  plan: planField,
  products: productsField,
};

/** Validates the fields of a shape in a request. `isPartial`: missing fields are not validated. Fields outside the shape are omitted. */
function checkShape<T>(shape: Shape, raw: unknown, isPartial: boolean): Checked<T> {
  if (!isRecord(raw)) return { errors: { "": ["shared-owners:errors.form.invalid"] } };
  const errors: Record<string, string[]> = {};
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const isSent = Object.hasOwn(raw, name) && raw[name] !== undefined;
    if (isPartial && !isSent) continue;
    const result = schema.safeParse(isSent ? raw[name] : undefined);
    if (result.success) {
      values[name] = result.data;
      continue;
    }
    for (const { path, message } of result.error.issues) {
      const field = [name, ...path].join(".");
      errors[field] = [...(errors[field] ?? []), message];
    }
  }
  return Object.keys(errors).length > 0 ? { errors } : { values: values as T };
}

const INVALID = ["shared-owners:errors.field.invalid"];

/** Returns the errors of the ids and the version that a command needs, by field name. */
function checkKeys(raw: Raw, ids: readonly string[], needsVersion: boolean): CommandErrors {
  const errors: Record<string, readonly string[]> = {};
  for (const name of ids) if (!isUuid(raw[name])) errors[name] = INVALID;
  if (needsVersion && readInteger(raw.version, 0, Number.MAX_SAFE_INTEGER) === null)
    errors.version = ["shared-owners:errors.form.version"];
  return errors;
}

const PART_TYPES: readonly unknown[] = ["tag", "media"] satisfies PartType[];

interface CommandKeys {
  readonly ids: readonly string[];
  readonly version?: boolean;
  readonly type?: boolean;
}

/** The names of the ids that each command needs, and whether it also needs a version and a type. */
const COMMAND_KEYS = {
  create_tag: { ids: ["id"] },
  update_tag: { ids: ["id"], version: true },
  create_media: { ids: ["id"] },
  update_media: { ids: ["id"], version: true },
  delete: { ids: ["id"], version: true, type: true },
  restore: { ids: ["id"], type: true },
  duplicate: { ids: ["id", "newId"], type: true },
  move_tags: { ids: [] },
  update_scene: { ids: [], version: true },
} as const satisfies Record<ContentCommand["op"], CommandKeys>;

function checkValues(op: ContentCommand["op"], raw: unknown): Checked<object> | null {
  switch (op) {
    case "create_tag":
      return checkShape<TagValues>(tagShape, raw, false);
    case "update_tag":
      return checkShape<Partial<TagValues>>(tagShape, raw, true);
    case "create_media":
      return checkShape<MediaValues>(newMediaShape, raw, false);
    case "update_media":
      return checkShape<Partial<MediaValues>>(mediaShape, raw, true);
    case "update_scene":
      return checkShape<Partial<SceneValues>>(sceneShape, raw, true);
    default:
      return null;
  }
}

function readMove(raw: Raw): ReadCommand {
  const rejectField = (name: string): ReadCommand => ({ id: "", errors: { [name]: INVALID } });
  const { ids, before = null } = raw;
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > EVENT_TAGS_MAX || !ids.every(isUuid))
    return rejectField("ids");
  if (before !== null && (!isUuid(before) || ids.includes(before))) return rejectField("before");
  return { command: { op: "move_tags", ids: [...new Set(ids)], before } };
}

/** Reads one command from an unvalidated value. Unknown fields are omitted. */
export function readCommand(raw: unknown): ReadCommand {
  const invalidCommand: ReadCommand = { id: "", errors: { "": ["shared-owners:errors.form.invalid"] } };
  if (!isRecord(raw) || typeof raw.op !== "string" || !Object.hasOwn(COMMAND_KEYS, raw.op))
    return invalidCommand;
  const op = raw.op as ContentCommand["op"];
  if (op === "move_tags") return readMove(raw);
  const keys: CommandKeys = COMMAND_KEYS[op];
  const checked = checkValues(op, raw.values);
  const errors: CommandErrors = {
    ...checkKeys(raw, keys.ids, keys.version === true),
    ...(keys.type && !PART_TYPES.includes(raw.type) && { type: INVALID }),
    ...(checked && "errors" in checked && checked.errors),
  };
  const id = isUuid(raw.id) ? raw.id : "";
  if (Object.keys(errors).length > 0) return { id, errors };
  return {
    command: {
      op,
      ...Object.fromEntries(keys.ids.map((name) => [name, raw[name]])),
      ...(keys.type && { type: raw.type }),
      ...(keys.version && { version: readInteger(raw.version, 0, Number.MAX_SAFE_INTEGER) }),
      ...(checked && "values" in checked && { values: checked.values }),
    } as ContentCommand,
  };
}
