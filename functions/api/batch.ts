import type { Hono } from "hono";
import { NotFoundError } from "#functions/services/errors";
import type { TreeResult, TreeSelection } from "#functions/services/tree";
import type { Uuid } from "~/domain/model";
import type { TreeKind } from "~/domain/tree";
import {
  BATCH_LISTS,
  type BatchList,
  type BatchMove,
  createBatchDeleteSchema,
  createBatchUpdateSchema,
} from "~/domain/tree.schema";
import type { ApiEnv } from "./context";
import { type ApiCall, check, readBody, requireSession } from "./request";

/** The API's names of the kinds of things in folders. */
export const KINDS = { folders: "folder", spaces: "space", media: "media" } as const satisfies Record<
  ListName,
  TreeKind
>;
type ListName = (typeof BATCH_LISTS)[number];
type Lists<Thing> = Readonly<Record<ListName, BatchList<Thing>>>;

/** What is done to several things at once (§7): /batch_update, /batch_delete, /batch_restore. Each answers for itself. */
export function batchRoutes(app: Hono<ApiEnv>): void {
  app.put("/batch_update", async (c) => {
    const { actor } = await requireSession(c);
    const lists = await check(createBatchUpdateSchema(), await readBody(c));
    const results: TreeResult[] = [];
    for (const [folderId, selection] of byFolder(lists))
      results.push(
        ...(await orAllGone(
          selection,
          () => c.env.services.tree.moveItems({ actor, selection, folderId }),
          (one) => one,
        )),
      );
    return batchAnswer(c, lists, results);
  });

  app.post("/batch_delete", async (c) => {
    const { actor } = await requireSession(c);
    const lists = await check(createBatchDeleteSchema(), await readBody(c));
    const selection = selectionOf(lists);
    return batchAnswer(c, lists, await c.env.services.tree.deleteItems({ actor, selection }));
  });

  app.post("/batch_restore", async (c) => {
    const { actor } = await requireSession(c);
    const lists = await check(createBatchDeleteSchema(), await readBody(c));
    const selection = selectionOf(lists);
    return batchAnswer(c, lists, await c.env.services.tree.restoreItems({ actor, selection }));
  });
}

const selectionOf = (lists: Lists<Uuid>): TreeSelection => ({
  folder: lists.folders.things,
  space: lists.spaces.things,
  media: lists.media.things,
});

/** What is to be moved or copied, by where to. */
export function byFolder(lists: Lists<BatchMove>): Map<Uuid, TreeSelection> {
  const found = new Map<Uuid, TreeSelection>();
  for (const list of BATCH_LISTS)
    for (const { id, folderId } of lists[list].things) {
      const selection = found.get(folderId) ?? {};
      found.set(folderId, { ...selection, [KINDS[list]]: [...(selection[KINDS[list]] ?? []), id] });
    }
  return found;
}

/** Does something with things and one folder. One that is not there fails all that were to lie in it, and nothing else. */
export async function orAllGone<Result>(
  selection: TreeSelection,
  work: () => Promise<readonly Result[]>,
  toResult: (gone: TreeResult) => Result,
): Promise<readonly Result[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return Object.values(KINDS).flatMap((kind) =>
      (selection[kind] ?? []).map((id) => toResult({ id, kind, name: "", refused: "gone" })),
    );
  }
}

/** {status, results: {folders: {success: [{uuid}], fail: [{uuid, code}]}}} for the lists that were named (DESIGN §4). */
export function batchAnswer<Result extends TreeResult>(
  c: ApiCall,
  named: Lists<unknown>,
  results: readonly Result[],
  success: (result: Result) => object = ({ id }) => ({ uuid: id }),
): Response {
  const lists = BATCH_LISTS.flatMap((list) => {
    const { things, malformed } = named[list];
    if (things.length + malformed.length === 0) return [];
    const own = results.filter(({ kind }) => kind === KINDS[list]);
    const fail = [
      ...own.flatMap(({ id, refused }) => (refused === null ? [] : [{ uuid: id, code: refused }])),
      ...malformed.map((one) => ({ ...one, code: "malformed" })),
    ];
    return [[list, { success: own.filter(({ refused }) => refused === null).map(success), fail }] as const];
  });
  return c.json({ status: "success", results: Object.fromEntries(lists) });
}
