import type { Hono } from "hono";
import { z } from "zod";
import { ConflictError, ForbiddenError, InvalidError, NotFoundError } from "#functions/services/errors";
import type { TreeResult } from "#functions/services/tree";
import type { TreeItem } from "#functions/services/tree-ports";
import { createFolderSchema, createRenameSchema } from "~/domain/folder.schema";
import type { Actor, FolderType, Space, Uuid } from "~/domain/model";
import type { SourceInput } from "~/domain/space-source.schema";
import type { TreeKind } from "~/domain/tree";
import { BATCH_LISTS, versionField } from "~/domain/tree.schema";
import { KINDS } from "./batch";
import type { ApiEnv } from "./context";
import {
  type ApiCall,
  type Body,
  check,
  idField,
  queryId,
  readBody,
  requireSession,
  uuidParam,
} from "./request";
import { folderJson, libraryItemJson, spaceJson, treeItemJson } from "./shapes";
import { checkSource } from "./space-source";

/** Folders, and what makes, changes and deletes what lies in them (§7): /v1/folders, /v1/spaces, /v1/media. */
export function folderRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/folders", async (c) => {
    const { actor } = await requireSession(c);
    const named = c.req.query("folder_type");
    const type = named === "all" ? undefined : readFolderType(named);
    const types = type === undefined ? (["space", "media"] as const) : [type];
    const ownerId = queryId(c, "owner_uuid") ?? actor.userId;
    const lists = await Promise.all(
      types.map((folderType) => c.env.services.tree.listFolders({ actor, ownerId, folderType })),
    );
    return c.json(lists.flat().map(folderJson));
  });

  app.post("/v1/folders", async (c) => {
    const { actor } = await requireSession(c);
    const body = await readBody(c);
    // §5: with a uuid it is updated.
    const id = idField(body, "uuid");
    if (id !== undefined) return updateItem(c, actor, "folder", id, body);
    const { name } = await check(createFolderSchema(), { name: body.name });
    const folder = await c.env.services.tree.createFolder({
      actor,
      name,
      folderType: readFolderType(body.folder_type) ?? "space",
      parentId: idField(body, "parent_uuid"),
      ownerId: idField(body, "owner_uuid"),
    });
    return c.json(folderJson(folder), 201);
  });

  app.post("/v1/spaces", async (c) => {
    const { actor } = await requireSession(c);
    const body = await readBody(c);
    const id = idField(body, "uuid");
    if (id !== undefined) return updateItem(c, actor, "space", id, body);
    const { space } = await c.env.services.spaces.createSpace({
      actor,
      name: await checkName("space", body, "name"),
      source: await checkSource(body),
      posterMediaId: idField(body, "poster_media_uuid"),
      folderId: idField(body, "folder_uuid"),
      ownerId: idField(body, "owner_uuid"),
    });
    return c.json(spaceJson(space), 201);
  });

  for (const list of BATCH_LISTS) {
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
}

/** Renames and moves what the body says of a folder, a space or a medium, and answers what it is then. */
async function updateItem(c: ApiCall, actor: Actor, kind: TreeKind, id: Uuid, body: Body): Promise<Response> {
  const { tree } = c.env.services;
  const place = kind === "folder" ? "parent_uuid" : "folder_uuid";
  const folderId = idField(body, place);
  const { version } = await check(z.object({ version: versionField }), { version: body.version });
  const saved = await tree.getItem({ actor, kind, id });
  requireSame(saved, body);
  if (version !== null && version !== saved.version) throw new ConflictError(treeItemJson(saved), body);
  const field = kind === "media" && body.title !== undefined ? "title" : "name";
  const name = body[field] === undefined ? null : await checkName(kind, body, field);
  // What is likeliest to be refused comes first, so that nothing has happened then.
  const moves = folderId !== undefined && folderId !== saved.parentId;
  if (moves) await tree.getPath({ actor, folderId });
  const change = kind === "space" ? await readChange(body) : {};
  if (kind === "space")
    await c.env.services.spaces.checkChange({ actor, spaceId: id, version: saved.version, ...change });
  let at = saved.version;
  if (moves) {
    const [result] = await tree.moveItems({ actor, selection: { [kind]: [id] }, folderId });
    requireDone(result, place);
    at += 1;
  }
  if (kind === "space") at = await changeSpace(c, { actor, spaceId: id }, change, at, body);
  if (name !== null) {
    const renamed = await tree.renameItem({ actor, kind, id, name, version: at });
    if (renamed.status === "conflict") throw new ConflictError(treeItemJson(renamed.saved), body);
  }
  return c.json(await itemJson(c, actor, kind, id));
}

/** A folder, a space or a medium as it is now. */
export async function itemJson(c: ApiCall, actor: Actor, kind: TreeKind, id: Uuid): Promise<object> {
  const { spaces, library, tree } = c.env.services;
  if (kind === "space") return spaceJson(await spaces.getSpace({ actor, spaceId: id }));
  if (kind === "media") return libraryItemJson(await library.getItem({ actor, itemId: id }));
  return folderJson((await tree.getPath({ actor, folderId: id })).folder);
}

/** What no call changes may be sent as it is, as a program does that has read it, and not otherwise. @throws InvalidError */
function requireSame(saved: TreeItem, body: Body): void {
  const fixed = {
    owner_uuid: [idField(body, "owner_uuid"), saved.ownerId],
    group_id: [idField(body, "group_id"), saved.groupId],
    folder_type: [saved.kind === "folder" ? readFolderType(body.folder_type) : undefined, saved.folderType],
  };
  for (const [name, [sent, kept]] of Object.entries(fixed))
    if (sent !== undefined && sent !== kept)
      throw new InvalidError({ [name]: [{ key: "errors.field.invalid" }] });
}

/** What a body changes of a space; what it does not name is missing. */
interface SpaceChange {
  readonly source?: SourceInput;
  readonly posterMediaId?: Uuid | null;
}

const readChange = async (body: Body): Promise<SpaceChange> => ({
  ...(body.source !== undefined && { source: await checkSource(body) }),
  ...(body.poster_media_uuid !== undefined && {
    posterMediaId: idField(body, "poster_media_uuid") ?? null,
  }),
});

/** Writes a space's source and picture, and answers the version that it has then. */
async function changeSpace(
  c: ApiCall,
  asked: { readonly actor: Actor; readonly spaceId: Uuid },
  { source, posterMediaId }: SpaceChange,
  from: number,
  body: Body,
): Promise<number> {
  const { spaces } = c.env.services;
  let version = from;
  try {
    if (source !== undefined) ({ version } = await spaces.replaceSource({ ...asked, source, version }));
    if (posterMediaId !== undefined)
      ({ version } = await spaces.setPicture({ ...asked, posterMediaId, version }));
  } catch (error) {
    if (error instanceof ConflictError) throw new ConflictError(spaceJson(error.saved as Space), body);
    throw error;
  }
  return version;
}

async function checkName(kind: TreeKind, body: Body, field: "name" | "title"): Promise<string> {
  const { name } = createRenameSchema(kind).shape;
  return (await check(z.object({ [field]: name }), { [field]: body[field] }))[field] ?? "";
}

/**
 * That something was done to the one thing that was named.
 * @param field what of the body is to blame otherwise; nothing when absent
 * @throws NotFoundError, ForbiddenError, or InvalidError with the reason as its code
 */
export function requireDone(result: TreeResult | undefined, field = ""): void {
  if (!result || result.refused === "gone") throw new NotFoundError("item");
  if (result.refused === "forbidden") throw new ForbiddenError("item");
  if (result.refused !== null)
    throw new InvalidError({ [field]: [{ key: `tree.refused.${result.refused}` }] }, result.refused);
}

/** Which of the two trees is named, if one is. @throws InvalidError beside folder_type */
export function readFolderType(value: unknown): FolderType | undefined {
  if (value === undefined || value === null) return undefined;
  if (value !== "space" && value !== "media")
    throw new InvalidError({ folder_type: [{ key: "errors.field.invalid" }] });
  return value;
}
