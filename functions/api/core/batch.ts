import * as z from "zod";
import type { TreeResult, TreeSelection } from "#functions/services/folders/tree-access";
import { InvalidError, NotFoundError } from "#functions/services/shared/errors";
import { BATCH_TARGETS_MAX, RESTORE_BATCH_MAX, TREE_BATCH_MAX, type TreeKind } from "~/domain/folders/tree";
import {
  BATCH_LISTS,
  type BatchList,
  type BatchMove,
  createBatchDeleteSchema,
  createBatchUpdateSchema,
} from "~/domain/folders/tree-batch.schema";
import type { Uuid } from "~/domain/shared/model";
import { call, type JsonOf } from "./call";
import { describe, type JsonSchema } from "./fields";
import { PERMISSION_TEXTS } from "./permission-texts";
import { BatchSchema } from "./schemas";

/** The kind of the records in each list of a batch. */
export const KIND_OF_LIST = { folders: "folder", spaces: "space", media: "media" } as const satisfies Record<
  ListName,
  TreeKind
>;
type ListName = (typeof BATCH_LISTS)[number];
type Lists<Entry> = Readonly<Record<ListName, BatchList<Entry>>>;

const uuid = { type: "string", format: "uuid" } as const;
const idList = {
  type: ["array", "null"],
  maxItems: TREE_BATCH_MAX,
  items: uuid,
  description: "Ids.",
};
const movesJson = (targetField: string) => ({
  type: ["array", "null"],
  maxItems: TREE_BATCH_MAX,
  items: {
    type: "object",
    required: ["uuid", "data"],
    properties: {
      uuid,
      data: { type: "object", required: [targetField], properties: { [targetField]: uuid } },
    },
  },
  description: "Ids, and the target folder of each.",
});

/** Lists of ids by kind, each optional. */
const idListsBody = withLists(createBatchDeleteSchema(), { folders: idList, spaces: idList, media: idList });
/** Lists of ids with target folders, by kind. */
export const movesBody = withLists(createBatchUpdateSchema(), {
  folders: movesJson("parent_uuid"),
  spaces: movesJson("folder_uuid"),
  media: movesJson("folder_uuid"),
});

/** Adds the JSON Schema of its lists to the schema of a batch. */
function withLists<T>(rule: z.ZodType<T>, properties: Readonly<Record<ListName, JsonSchema>>) {
  return describe(z.unknown().pipe(rule as z.ZodType<T, unknown>), { type: "object", properties });
}

/**
 * Rejects a batch whose lists together have more than `max` items. Malformed entries do not count.
 * @throws InvalidError too_many, for each list with items
 */
export function requireBatchSize(max: number, key: TooMany, lists: Lists<unknown>): void {
  const nonEmptyLists = BATCH_LISTS.filter((list) => lists[list].valid.length > 0);
  if (nonEmptyLists.reduce((sum, list) => sum + lists[list].valid.length, 0) > max)
    throw new InvalidError(Object.fromEntries(nonEmptyLists.map((list) => [list, [{ key }]])), "too_many");
}
type TooMany = "folders:errors.tree.tooManyCopies" | "folders:errors.tree.tooManyRestores";

/** Documentation of the failures of one item of a batch. */
const ITEM_FAILURES = `Each record fails independently: \`malformed\` (not an id; \`field\` names the part, if an entry has parts), \`gone\`, \`forbidden\``;

/** Changes to several items at once (specification §7): /batch_update, /batch_delete, /batch_restore. Each item has its own result. */
export const batchCalls = [
  call({
    id: "moveMany",
    method: "PUT",
    path: "/batch_update",
    tag: "batches",
    summary: "Move folders, spaces and media into other folders",
    description: `At most ${TREE_BATCH_MAX} records of a kind and ${BATCH_TARGETS_MAX} folders to move into. ${ITEM_FAILURES}, \`root\`, \`into_itself\`, \`other_owner\`, \`other_type\`, \`too_deep\`.`,
    who: "user",
    may: PERMISSION_TEXTS.sharedMany,
    body: movesBody,
    response: BatchSchema,
    handle: async ({ services, actor, body }) => {
      const results: TreeResult[] = [];
      for (const [folderId, selection] of groupByFolder(body))
        results.push(
          ...(await runIntoFolder(
            selection,
            () => services.tree.moveItems({ actor, selection, folderId }),
            (result) => result,
          )),
        );
      return batchResponse(body, results);
    },
  }),

  call({
    id: "deleteMany",
    method: "POST",
    path: "/batch_delete",
    tag: "batches",
    summary: "Move folders, spaces and media to the trash",
    description: `${ITEM_FAILURES}, \`root\`, \`in_use\` (a space uses the file, or a file in the folder).`,
    who: "user",
    may: PERMISSION_TEXTS.ownerMany,
    body: idListsBody,
    response: BatchSchema,
    handle: async ({ services, actor, body }) =>
      batchResponse(body, await services.tree.deleteItems({ actor, selection: toSelection(body) })),
  }),

  call({
    id: "restoreMany",
    method: "POST",
    path: "/batch_restore",
    tag: "batches",
    summary: "Restore folders, spaces and media from the trash",
    description: `At most ${RESTORE_BATCH_MAX} records. ${ITEM_FAILURES}, \`space_license\`, \`library_capacity\`, \`too_deep\`, \`too_many_folders\`, \`source_in_trash\` (the space's file is in the trash).`,
    who: "user",
    may: PERMISSION_TEXTS.ownerMany,
    body: idListsBody,
    response: BatchSchema,
    problems: ["too_many"],
    handle: async ({ services, actor, body }) => {
      requireBatchSize(RESTORE_BATCH_MAX, "folders:errors.tree.tooManyRestores", body);
      return batchResponse(body, await services.tree.restoreItems({ actor, selection: toSelection(body) }));
    },
  }),
];

const toSelection = (lists: Lists<Uuid>): TreeSelection => ({
  folder: lists.folders.valid,
  space: lists.spaces.valid,
  media: lists.media.valid,
});

/** Groups the items to move or copy by their target folder. */
export function groupByFolder(lists: Lists<BatchMove>): Map<Uuid, TreeSelection> {
  const selections = new Map<Uuid, TreeSelection>();
  for (const list of BATCH_LISTS)
    for (const { id, folderId } of lists[list].valid) {
      const selection = selections.get(folderId) ?? {};
      selections.set(folderId, {
        ...selection,
        [KIND_OF_LIST[list]]: [...(selection[KIND_OF_LIST[list]] ?? []), id],
      });
    }
  return selections;
}

/**
 * Returns the results of moving or copying items into one folder with `work`. If the caller sees no such folder, only the items for this folder fail.
 * @param toResult converts the result of a failed item to the type of the results of `work`
 */
export async function runIntoFolder<Result>(
  selection: TreeSelection,
  work: () => Promise<readonly Result[]>,
  toResult: (failedItem: TreeResult) => Result,
): Promise<readonly Result[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return Object.values(KIND_OF_LIST).flatMap((kind) =>
      (selection[kind] ?? []).map((id) => toResult({ id, kind, name: "", rejection: "gone" })),
    );
  }
}

/**
 * Creates {status, results: {folders: {success: [uuid], fail: [uuid], reasons: [{uuid, code}]}}} for the lists in the request (specification §7).
 * @param copyOf for copies: returns the id of the copy from the result of an original
 */
export function batchResponse<Result extends TreeResult>(
  requestedLists: Lists<unknown>,
  results: readonly Result[],
  copyOf?: (result: Result) => Uuid | null,
): JsonOf<typeof BatchSchema> {
  const lists = BATCH_LISTS.flatMap((list) => {
    const { valid: entries, malformed } = requestedLists[list];
    if (entries.length + malformed.length === 0) return [];
    const listResults = results.filter(({ kind }) => kind === KIND_OF_LIST[list]);
    const changedResults = listResults.filter(({ rejection }) => rejection === null);
    const reasons = [
      ...listResults.flatMap(({ id, rejection }) =>
        rejection === null ? [] : [{ uuid: id, code: rejection }],
      ),
      ...malformed.map((entry) => ({ ...entry, code: "malformed" })),
    ];
    const listResponse = {
      success: changedResults.map(({ id }) => id),
      fail: reasons.flatMap(({ uuid }) => uuid ?? []),
      reasons,
      ...(copyOf && {
        copies: changedResults.map((result) => ({ uuid: result.id, copy_uuid: copyOf(result) })),
      }),
    };
    return [[list, listResponse] as const];
  });
  return { status: "success", results: Object.fromEntries(lists) };
}
