import type { Hono } from "hono";
import { ConflictError, ForbiddenError, InvalidError, NotFoundError } from "#functions/services/errors";
import type { TreeResult, TreeSelection } from "#functions/services/tree";
import { createFolderSchema, createRenameSchema } from "~/domain/folder.schema";
import { toUuid } from "~/domain/ids";
import type { Actor, Folder, FolderType, Space, Uuid } from "~/domain/model";
import type { TreeKind } from "~/domain/tree";
import {
  type BatchMove,
  createBatchDeleteSchema,
  createBatchUpdateSchema,
  versionField,
} from "~/domain/tree.schema";
import type { ApiEnv } from "./context";
import { type ApiCall, check, readBody, requireSession, uuidParam } from "./request";
import { folderJson, libraryItemJson, spaceJson, treeItemJson } from "./shapes";
import { checkSource, withApiNames } from "./space-source";

type Body = Readonly<Record<string, unknown>>;

/** The API's names of the kinds of things in folders. */
export const KINDS = { folders: "folder", spaces: "space", media: "media" } as const satisfies Record<
  string,
  TreeKind
>;
type ListName = keyof typeof KINDS;
const LISTS = Object.keys(KINDS) as ListName[];

/** Folders, and what moves and deletes spaces (§7): /v1/folders, /v1/spaces, /batch_update, /batch_delete. */
export function folderRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/folders", async (c) => {
    const { actor } = await requireSession(c);
    const { owner_uuid, folder_type = "all" } = c.req.query();
    if (!["space", "media", "all"].includes(folder_type))
      throw new InvalidError({ folderType: [{ key: "errors.field.invalid" }] });
    const types = folder_type === "all" ? (["space", "media"] as const) : [folder_type as FolderType];
    const ownerId = owner_uuid === undefined ? actor.userId : toUuid(owner_uuid);
    if (ownerId === null) throw new NotFoundError("owner");
    const lists = await Promise.all(
      types.map((folderType) => c.env.services.tree.listFolders({ actor, ownerId, folderType })),
    );
    return c.json(lists.flat().map(folderJson));
  });

  app.post("/v1/folders", async (c) => {
    const { actor } = await requireSession(c);
    const body = await readBody(c);
    // §5: with a uuid it is updated.
    if (body.uuid != null) return updateItem(c, actor, "folder", bodyId(body), body);
    const { name } = await check(createFolderSchema(), { name: body.name });
    const folder = await c.env.services.tree.createFolder({
      actor,
      name,
      folderType: folderType(body.folder_type),
      parentId: optionalId(body.parent_uuid, "parentUuid"),
      ownerId: optionalId(body.owner_uuid, "ownerUuid"),
    });
    return c.json(folderJson(folder), 201);
  });

  app.post("/v1/spaces", async (c) => {
    const { actor } = await requireSession(c);
    const body = await readBody(c);
    if (body.uuid != null) return updateItem(c, actor, "space", bodyId(body), body);
    const name = await checkName("space", body.name);
    const making = c.env.services.spaces.createSpace({
      actor,
      name,
      // A showcase may be named by its id alone.
      source: await checkSource(body.source ?? { kind: "showcase", sid: body.sid }),
      posterMediaId: optionalId(body.poster_media_uuid, "posterMediaUuid"),
      folderId: optionalId(body.folder_uuid, "folderUuid"),
      ownerId: optionalId(body.owner_uuid, "ownerUuid"),
    });
    const { space } = await withApiNames(making);
    return c.json(spaceJson(space), 201);
  });

  for (const list of LISTS) {
    app.put(`/v1/${list}/:uuid`, async (c) => {
      const { actor } = await requireSession(c);
      return updateItem(c, actor, KINDS[list], uuidParam(c), await readBody(c));
    });

    app.delete(`/v1/${list}/:uuid`, async (c) => {
      const { actor } = await requireSession(c);
      const id = uuidParam(c);
      const [result] = await c.env.services.tree.deleteItems({ actor, selection: { [KINDS[list]]: [id] } });
      requireDone(result);
      return c.json({ status: "success", uuid: id });
    });
  }

  app.put("/batch_update", async (c) => {
    const { actor } = await requireSession(c);
    const moves = await check(createBatchUpdateSchema(), await readBody(c));
    const results: TreeResult[] = [];
    for (const [folderId, selection] of byFolder(moves))
      results.push(...(await moveAll(c, actor, folderId, selection)));
    return batchAnswer(c, moves, results);
  });

  app.post("/batch_delete", async (c) => {
    const { actor } = await requireSession(c);
    const ids = await check(createBatchDeleteSchema(), await readBody(c));
    const selection: TreeSelection = { folder: ids.folders, space: ids.spaces, media: ids.media };
    return batchAnswer(c, ids, await c.env.services.tree.deleteItems({ actor, selection }));
  });
}

/** What is to be moved or copied, by where to. */
export function byFolder(moves: Readonly<Record<ListName, readonly BatchMove[]>>): Map<Uuid, TreeSelection> {
  const found = new Map<Uuid, TreeSelection>();
  for (const list of LISTS)
    for (const { id, folderId } of moves[list]) {
      const selection = found.get(folderId) ?? {};
      found.set(folderId, { ...selection, [KINDS[list]]: [...(selection[KINDS[list]] ?? []), id] });
    }
  return found;
}

/** Moves things into one folder. One that is not there fails all that were to lie in it, and nothing else. */
async function moveAll(
  c: ApiCall,
  actor: Actor,
  folderId: Uuid,
  selection: TreeSelection,
): Promise<readonly TreeResult[]> {
  try {
    return await c.env.services.tree.moveItems({ actor, selection, folderId });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return LISTS.flatMap((list) =>
      (selection[KINDS[list]] ?? []).map((id) => ({
        id,
        kind: KINDS[list],
        name: "",
        refused: "gone" as const,
      })),
    );
  }
}

/** {status, results: {folders: {success: [{uuid}], fail: [{uuid, code}]}}} for the lists that were named (DESIGN §4). */
export function batchAnswer<Result extends TreeResult>(
  c: ApiCall,
  named: Readonly<Record<ListName, readonly unknown[]>>,
  results: readonly Result[],
  success: (result: Result) => object = ({ id }) => ({ uuid: id }),
): Response {
  const lists = LISTS.filter((list) => named[list].length > 0).map((list) => {
    const own = results.filter(({ kind }) => kind === KINDS[list]);
    return [
      list,
      {
        success: own.filter(({ refused }) => refused === null).map(success),
        fail: own.flatMap(({ id, refused }) => (refused === null ? [] : [{ uuid: id, code: refused }])),
      },
    ] as const;
  });
  return c.json({ status: "success", results: Object.fromEntries(lists) });
}

/** Renames and moves what the body says of a folder, a space or a medium, and answers what it is then. */
async function updateItem(c: ApiCall, actor: Actor, kind: TreeKind, id: Uuid, body: Body): Promise<Response> {
  const { tree } = c.env.services;
  const place = kind === "folder" ? "parent_uuid" : "folder_uuid";
  const folderId = optionalId(body[place], kind === "folder" ? "parentUuid" : "folderUuid");
  const version = await check(versionField, body.version);
  const saved = await tree.getItem({ actor, kind, id });
  if (version !== null && version !== saved.version) throw new ConflictError(treeItemJson(saved), body);
  const named = kind === "media" ? (body.title ?? body.name) : body.name;
  const name = named === undefined ? null : await checkName(kind, named);
  // What is likeliest to be refused comes first, so that nothing has happened then.
  const moves = folderId !== undefined && folderId !== saved.parentId;
  if (moves) await tree.getPath({ actor, folderId });
  const before = kind === "space" ? (await updateSpace(c, actor, id, body)).version : saved.version;
  if (moves) {
    const [result] = await tree.moveItems({ actor, selection: { [kind]: [id] }, folderId });
    requireDone(result);
  }
  if (name !== null) {
    const renamed = await tree.renameItem({
      actor,
      kind,
      id,
      name,
      version: before + (moves ? 1 : 0),
    });
    if (renamed.status === "conflict") throw new ConflictError(treeItemJson(renamed.saved), body);
  }
  if (kind === "space")
    return c.json(spaceJson(await c.env.services.spaces.getSpace({ actor, spaceId: id })));
  if (kind === "media")
    return c.json(libraryItemJson(await c.env.services.library.getItem({ actor, itemId: id })));
  return c.json(folderJson((await tree.getPath({ actor, folderId: id })).folder));
}

/** Changes what the body says of a space's source and picture, and answers the space. */
async function updateSpace(c: ApiCall, actor: Actor, spaceId: Uuid, body: Body): Promise<Space> {
  const { spaces } = c.env.services;
  let space = await spaces.getSpace({ actor, spaceId });
  const asked = { actor, spaceId };
  try {
    if (body.source !== undefined) {
      const source = await checkSource(body.source);
      space = await withApiNames(spaces.replaceSource({ ...asked, source, version: space.version }));
    }
    if (body.poster_media_uuid !== undefined) {
      const posterMediaId = optionalId(body.poster_media_uuid, "posterMediaUuid") ?? null;
      space = await withApiNames(spaces.setPicture({ ...asked, posterMediaId, version: space.version }));
    }
  } catch (error) {
    if (error instanceof ConflictError) throw new ConflictError(spaceJson(error.saved as Space), body);
    throw error;
  }
  return space;
}

async function checkName(kind: TreeKind, value: unknown): Promise<string> {
  return (await check(createRenameSchema(kind).pick({ name: true }), { name: value })).name;
}

/** That something was done to the one thing that was named. @throws NotFoundError, ForbiddenError, or InvalidError with the reason as its code */
export function requireDone(result: TreeResult | undefined): void {
  if (!result || result.refused === "gone") throw new NotFoundError("item");
  if (result.refused === "forbidden") throw new ForbiddenError("item");
  if (result.refused !== null)
    throw new InvalidError({ "": [{ key: `tree.refused.${result.refused}` }] }, result.refused);
}

function bodyId(body: Body): Uuid {
  const id = toUuid(body.uuid);
  if (id === null) throw new NotFoundError("item");
  return id;
}

/** An id that a body may name. @throws InvalidError beside that name */
export function optionalId(value: unknown, name: string): Uuid | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const id = toUuid(value);
  if (id === null) throw new InvalidError({ [name]: [{ key: "errors.field.invalid" }] });
  return id;
}

function folderType(value: unknown): Folder["folderType"] {
  if (value === undefined || value === null) return "space";
  if (value !== "space" && value !== "media")
    throw new InvalidError({ folderType: [{ key: "errors.field.invalid" }] });
  return value;
}
