import * as z from "zod";
import type { Services } from "#functions/services";
import type { TreeResult } from "#functions/services/folders/tree-access";
import type { TreeItem } from "#functions/services/folders/tree-ports";
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
} from "#functions/services/shared/errors";
import type { Actor } from "~/domain/auth/actor";
import { createFolderSchema, createRenameSchema, treeNameMax } from "~/domain/folders/folder.schema";
import type { TreeKind } from "~/domain/folders/tree";
import { BATCH_LISTS } from "~/domain/folders/tree-batch.schema";
import { toUuid } from "~/domain/shared/ids";
import type { FolderType, Uuid } from "~/domain/shared/model";
import type { SourceInput } from "~/domain/spaces/space-source.schema";
import { KIND_OF_LIST } from "../core/batch";
import { call, type JsonOf, type ProblemCode } from "../core/call";
import {
  optional,
  optionalFolderType,
  optionalId,
  optionalVersion,
  queryId,
  removableId,
  uncheckedOptionalField,
} from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { deletedJson, folderJson, libraryItemJson, spaceJson } from "../core/record-json";
import { type ApiCall, type JsonBody, validate } from "../core/request";
import { DeletedSchema, FolderSchema, LibraryItemSchema, SpaceSchema } from "../core/schemas";
import { rejectExpectedVersion, requireVersion, respondWithEtag } from "../core/versions";
import { checkSource, sourceSchema } from "../spaces/space-source";

const nameJson = (kind: TreeKind) => ({ type: "string", minLength: 1, maxLength: treeNameMax(kind) });
/** The name of a record, required unless the body has the `uuid` of an existing record. */
const requiredName = (kind: TreeKind) =>
  uncheckedOptionalField({
    ...nameJson(kind),
    description: "Required unless `uuid` names the record to change.",
  });
const createNameField = (kind: TreeKind) => createRenameSchema(kind).shape.name;

/** Read-only fields, which a client may send back unchanged. */
const unchanged = {
  owner_uuid: optionalId("The current value. It cannot be changed."),
  group_id: optionalId("The current value. It cannot be changed."),
};
const unchangedType = optionalFolderType.meta({ description: "The current value. It cannot be changed." });

/** Bodies of the calls that change an item. */
const CHANGE_SCHEMAS = {
  folders: z.object({
    name: optional(createNameField("folder"), nameJson("folder")),
    parent_uuid: optionalId("Destination folder."),
    version: optionalVersion,
    ...unchanged,
    folder_type: unchangedType,
  }),
  spaces: z.object({
    name: optional(createNameField("space"), nameJson("space")),
    folder_uuid: optionalId("Destination folder."),
    source: uncheckedOptionalField({ ...sourceSchema, description: "Must have the space's current kind." }),
    poster_media_uuid: removableId("Library item used as its thumbnail; empty for none."),
    version: optionalVersion,
    ...unchanged,
  }),
  media: z.object({
    title: optional(createNameField("media"), nameJson("media")),
    name: optional(createNameField("media"), { ...nameJson("media"), description: "The same as `title`." }),
    folder_uuid: optionalId("Destination folder."),
    version: optionalVersion,
    ...unchanged,
  }),
} as const;
type Change = z.output<(typeof CHANGE_SCHEMAS)[keyof typeof CHANGE_SCHEMAS]>;

const SCHEMAS = { folders: FolderSchema, spaces: SpaceSchema, media: LibraryItemSchema } as const;
const OPERATION_SUFFIXES = { folders: "Folder", spaces: "Space", media: "MediaItem" } as const;
const NOUNS = { folders: "a folder", spaces: "a space", media: "a media item" } as const;

/** Reasons why an item cannot be placed in a folder. */
const PLACE_PROBLEMS = [
  "forbidden",
  "root",
  "into_itself",
  "other_owner",
  "other_type",
  "too_deep",
] as const satisfies readonly ProblemCode[];
const SOURCE_PROBLEMS = [
  "invalid_showcase_id",
  "source_media",
  "source_media_kind",
  "source_media_shape",
  "source_media_check",
  "picture_media",
] as const satisfies readonly ProblemCode[];
const UPDATE_DESCRIPTION = "With `uuid` it changes that record, as PUT does, and returns 200.";

/** Folders, and changes of their content (specification §7): /v1/folders, /v1/spaces, /v1/media. */
export const folderCalls = [
  call({
    id: "listFolders",
    method: "GET",
    path: "/v1/folders",
    tag: "folders",
    summary: "List all folders of an owner; of each type the root folder first, then the others by name",
    who: "user",
    may: PERMISSION_TEXTS.list,
    query: z.object({
      folder_type: uncheckedOptionalField({
        type: "string",
        enum: ["space", "media", "all"],
        default: "all",
      }),
      owner_uuid: queryId("The owner. Default: the caller."),
    }),
    response: z.array(FolderSchema),
    wholeListKey: "uuid",
    handle: async ({ services, actor, query }) => {
      const requestedType = query.folder_type;
      const type = requestedType === "all" ? undefined : readFolderType(requestedType);
      const types = type === undefined ? (["space", "media"] as const) : [type];
      const ownerId = query.owner_uuid ?? actor.userId;
      const lists = await Promise.all(
        types.map((folderType) => services.tree.listFolders({ actor, ownerId, folderType })),
      );
      return lists.flat().map(folderJson);
    },
  }),

  call({
    id: "createFolder",
    method: "POST",
    path: "/v1/folders",
    tag: "folders",
    summary: "Create a folder",
    description: UPDATE_DESCRIPTION,
    who: "user",
    may: PERMISSION_TEXTS.add,
    body: z.object({
      ...CHANGE_SCHEMAS.folders.shape,
      uuid: optionalId("The folder to change."),
      name: requiredName("folder"),
      parent_uuid: optionalId("Destination folder. Default: the root folder."),
      owner_uuid: optionalId("The owner. Default: the caller."),
      folder_type: optionalFolderType,
    }),
    response: FolderSchema,
    problems: [...PLACE_PROBLEMS, "too_many_folders", "stale_version"],
    acceptsIdempotencyKey: true,
    hasEtag: true,
    acceptsIfMatch: true,
    handle: async (input) => {
      const { services, actor, body, rawBody, expectedVersion } = input;
      if (body.uuid !== undefined) return changeExisting(input, "folders", body.uuid);
      if (expectedVersion !== null) rejectExpectedVersion();
      const { name } = await validate(createFolderSchema(), { name: rawBody.name });
      return folderJson(
        await services.tree.createFolder({
          actor,
          name,
          folderType: body.folder_type ?? "space",
          parentId: body.parent_uuid,
          ownerId: body.owner_uuid,
        }),
      );
    },
  }),

  call({
    id: "createSpace",
    method: "POST",
    path: "/v1/spaces",
    tag: "spaces",
    summary: "Create a space with its first event",
    description: `\`sid\` alone creates a space of a showcase; \`source\` describes a space of any kind. ${UPDATE_DESCRIPTION}`,
    who: "user",
    may: PERMISSION_TEXTS.add,
    body: z.object({
      uuid: optionalId("The space to change."),
      name: requiredName("space"),
      sid: uncheckedOptionalField({
        type: ["string", "null"],
        description: "Id or URL of a showcase.",
      }),
      source: uncheckedOptionalField(sourceSchema),
      poster_media_uuid: removableId("Library item used as its thumbnail."),
      folder_uuid: optionalId("Destination folder. Default: the root folder."),
      owner_uuid: optionalId("The owner. Default: the caller."),
      group_id: unchanged.group_id,
      version: optionalVersion,
    }),
    response: SpaceSchema,
    problems: [
      ...PLACE_PROBLEMS,
      ...SOURCE_PROBLEMS,
      "source_kind",
      "space_license",
      "too_many_events",
      "stale_version",
    ],
    acceptsIdempotencyKey: true,
    hasEtag: true,
    acceptsIfMatch: true,
    handle: async (input) => {
      const { services, actor, body, rawBody, expectedVersion } = input;
      if (body.uuid !== undefined) return changeExisting(input, "spaces", body.uuid);
      if (expectedVersion !== null) rejectExpectedVersion();
      const { space } = await services.spaces.createSpace({
        actor,
        name: await checkSpaceName(rawBody),
        source: await checkSource(rawBody),
        posterMediaId: body.poster_media_uuid ?? undefined,
        folderId: body.folder_uuid,
        ownerId: body.owner_uuid,
      });
      return spaceJson(space);
    },
  }),

  ...BATCH_LISTS.flatMap((list) => [
    call({
      id: `update${OPERATION_SUFFIXES[list]}`,
      method: "PUT",
      path: `/v1/${list}/{uuid}`,
      tag: list,
      summary: `Rename, move or change ${NOUNS[list]}`,
      description: "Changes only the given fields, and nothing if one of them is invalid.",
      who: "user",
      may: PERMISSION_TEXTS.shared,
      body: CHANGE_SCHEMAS[list] as z.ZodObject,
      response: SCHEMAS[list] as z.ZodType,
      problems: [
        ...PLACE_PROBLEMS,
        ...(list === "spaces" ? [...SOURCE_PROBLEMS, "source_kind" as const] : []),
      ],
      hasEtag: true,
      acceptsIfMatch: true,
      handle: ({ c, services, actor, params, body, rawBody }) =>
        updateItem({ c, services, actor, body: body as Change, rawBody }, KIND_OF_LIST[list], params.uuid),
    }),

    call({
      id: `delete${OPERATION_SUFFIXES[list]}`,
      method: "DELETE",
      path: `/v1/${list}/{uuid}`,
      tag: list,
      summary: `Move ${NOUNS[list]} to the trash, with its content`,
      description: "It can be restored for 30 days.",
      who: "user",
      may: PERMISSION_TEXTS.owner,
      response: DeletedSchema,
      problems: ["forbidden", "root", "in_use", "stale_version"],
      acceptsIfMatch: true,
      savedSchema: SCHEMAS[list] as z.ZodType,
      handle: async ({ services, actor, params: { uuid }, expectedVersion }) => {
        const kind = KIND_OF_LIST[list];
        const selection = { [kind]: [uuid] };
        const [result] = await services.tree.deleteItems({ actor, selection, version: expectedVersion });
        // The record was not changed, perhaps because it has another version.
        if (expectedVersion !== null && result?.rejection === "gone")
          requireVersion(expectedVersion, await itemJson(services, actor, kind, uuid), (saved) => saved);
        requireChanged(result);
        return deletedJson(uuid);
      },
    }),
  ]),
];

/** Input of a change of an item in a folder. */
interface ChangeInput {
  readonly c: ApiCall;
  readonly services: Services;
  readonly actor: Actor;
  readonly body: unknown;
  readonly rawBody: JsonBody;
}

/** Handles a creation whose body has the id of an existing record, by changing that record (specification §5). */
async function changeExisting(input: ChangeInput, list: "folders" | "spaces", id: Uuid): Promise<Response> {
  const body = await validate(CHANGE_SCHEMAS[list] as z.ZodType<Change>, input.rawBody);
  return respondWithEtag(input.c, await updateItem({ ...input, body }, KIND_OF_LIST[list], id), 200);
}

/** Changes a folder, a space or a media item, and returns its new state. */
async function updateItem(
  { services, actor, body, rawBody }: ChangeInput & { readonly body: Change },
  kind: TreeKind,
  id: Uuid,
) {
  const { tree } = services;
  requireReadOnlyUnchanged(await tree.getTreeItem({ actor, kind, id }), body);
  const result = await tree.changeItem({
    actor,
    kind,
    id,
    version: body.version ?? null,
    name: ("title" in body ? body.title : undefined) ?? body.name,
    folderId: "parent_uuid" in body ? body.parent_uuid : (body as { folder_uuid?: Uuid }).folder_uuid,
    ...(kind === "space" && (await readSpaceChange(rawBody))),
  });
  if (result.status === "conflict")
    throw new ConflictError(await itemJson(services, actor, kind, id), rawBody);
  if (result.status === "rejected")
    requireChanged(
      { id, kind, name: "", rejection: result.rejection },
      kind === "folder" ? "parent_uuid" : "folder_uuid",
    );
  return itemJson(services, actor, kind, id);
}

/** Returns the current state of a folder, a space or a media item. */
export async function itemJson(
  { spaces, library, tree }: Services,
  actor: Actor,
  kind: TreeKind,
  id: Uuid,
): Promise<JsonOf<typeof FolderSchema> | JsonOf<typeof SpaceSchema> | JsonOf<typeof LibraryItemSchema>> {
  if (kind === "space") return spaceJson(await spaces.getSpace({ actor, spaceId: id }));
  if (kind === "media") return libraryItemJson(await library.getItem({ actor, itemId: id }));
  return folderJson((await tree.getPath({ actor, folderId: id })).folder);
}

/** Checks that read-only fields are unchanged. @throws InvalidError */
function requireReadOnlyUnchanged(saved: TreeItem, body: Change): void {
  const readOnlyFields = {
    owner_uuid: [body.owner_uuid, saved.ownerId],
    group_id: [body.group_id, saved.groupId],
    folder_type: ["folder_type" in body ? body.folder_type : undefined, saved.folderType],
  };
  for (const [name, [sent, storedValue]] of Object.entries(readOnlyFields))
    if (sent !== undefined && sent !== storedValue)
      throw new InvalidError({ [name]: [{ key: "shared-owners:errors.field.invalid" }] });
}

/** Changes of a space from a body. Fields that the body lacks are absent. */
interface SpaceChange {
  readonly source?: SourceInput;
  readonly posterMediaId?: Uuid | null;
}

const readSpaceChange = async (body: JsonBody): Promise<SpaceChange> => ({
  ...(body.source !== undefined && { source: await checkSource(body) }),
  ...(body.poster_media_uuid !== undefined && {
    posterMediaId: toUuid(body.poster_media_uuid),
  }),
});

async function checkSpaceName(body: JsonBody): Promise<string> {
  const { name } = createRenameSchema("space").shape;
  return (await validate(z.object({ name }), { name: body.name })).name;
}

/**
 * Checks that the only item of a call was changed.
 * @param field the field of the body to which an error belongs; empty for an error about the whole call
 * @throws NotFoundError, ForbiddenError, or InvalidError with the reason as its code
 */
export function requireChanged(result: TreeResult | undefined, field = ""): void {
  if (!result || result.rejection === "gone") throw new NotFoundError("item");
  if (result.rejection === "forbidden") throw new ForbiddenError("item");
  if (result.rejection !== null)
    throw new InvalidError({ [field]: [{ key: `folders:rejected.${result.rejection}` }] }, result.rejection);
}

/** Reads the optional type of the folder tree. @throws InvalidError for the field folder_type */
function readFolderType(value: unknown): FolderType | undefined {
  if (value === undefined || value === null) return undefined;
  if (value !== "space" && value !== "media")
    throw new InvalidError({ folder_type: [{ key: "shared-owners:errors.field.invalid" }] });
  return value;
}
