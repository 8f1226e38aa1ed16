import type { Hono } from "hono";
import type { CopyResult } from "#functions/services/copies";
import { InvalidError, LimitError } from "#functions/services/errors";
import { eventNameField } from "~/domain/event-create.schema";
import type { Uuid } from "~/domain/model";
import { COPY_BATCH_MAX } from "~/domain/tree";
import { BATCH_LISTS, createBatchUpdateSchema } from "~/domain/tree.schema";
import { batchAnswer, byFolder, KINDS, orAllGone } from "./batch";
import type { ApiEnv } from "./context";
import { requireDone } from "./folders";
import { type ApiCall, check, idField, readBody, requiredId, requireSession, uuidParam } from "./request";
import { eventJson, folderJson, spaceJson } from "./shapes";

/** Copies of folders, spaces and events (§7): /v1/folders/{uuid}/copy, /v1/spaces/{uuid}/copy, /batch_copy, /copy_event. */
export function copyRoutes(app: Hono<ApiEnv>): void {
  app.post("/v1/folders/:uuid/copy", async (c) => {
    const { actor } = await requireSession(c);
    const id = await copyOne(c, "folders", "parent_uuid");
    return c.json(folderJson((await c.env.services.tree.getPath({ actor, folderId: id })).folder), 201);
  });

  app.post("/v1/spaces/:uuid/copy", async (c) => {
    const { actor } = await requireSession(c);
    const id = await copyOne(c, "spaces", "folder_uuid");
    return c.json(spaceJson(await c.env.services.spaces.getSpace({ actor, spaceId: id })), 201);
  });

  app.post("/batch_copy", async (c) => {
    const { actor, user } = await requireSession(c);
    const copies = await check(createBatchUpdateSchema(), await readBody(c));
    const named = BATCH_LISTS.filter((list) => copies[list].things.length > 0);
    if (named.reduce((sum, list) => sum + copies[list].things.length, 0) > COPY_BATCH_MAX) {
      const tooMany = [{ key: "errors.tree.tooManyCopies" }];
      throw new InvalidError(Object.fromEntries(named.map((list) => [list, tooMany])), "too_many");
    }
    const results: CopyResult[] = [];
    for (const [folderId, selection] of byFolder(copies))
      results.push(
        ...(await orAllGone(
          selection,
          () => c.env.services.copies.copyItems({ actor, selection, folderId, lang: user.language }),
          (gone) => ({ ...gone, copyId: null }),
        )),
      );
    return batchAnswer(c, copies, results, ({ id, copyId }) => ({ uuid: id, copy_uuid: copyId }));
  });

  app.post("/copy_event", async (c) => {
    const { actor, user } = await requireSession(c);
    const body = await readBody(c);
    const eventId = requiredId(body, "target_event_uuid");
    const { event_name } = body;
    const event = await c.env.services.copies.copyEvent({
      actor,
      eventId,
      fromSpaceId: idField(body, "from_space_uuid"),
      spaceId: idField(body, "space_uuid"),
      eventName: event_name == null ? undefined : await checkName(event_name),
      lang: user.language,
    });
    return c.json(eventJson(event), 201);
  });
}

/** Copies what the path names into the folder that the body names. @returns the copy's id */
async function copyOne(c: ApiCall, list: "folders" | "spaces", place: string): Promise<Uuid> {
  const { actor, user } = await requireSession(c);
  const id = uuidParam(c);
  const body = await readBody(c);
  const kind = KINDS[list];
  const { parentId } = await c.env.services.tree.getItem({ actor, kind, id });
  // Beside the original when no folder is named.
  const folderId = idField(body, place) ?? parentId;
  if (folderId === null) throw new InvalidError({ "": [{ key: "tree.refused.root" }] }, "root");
  const selection = { [kind]: [id] };
  const [result] = await c.env.services.copies.copyItems({ actor, selection, folderId, lang: user.language });
  if (result?.refused === "space_license")
    throw new LimitError("space_license", { key: "tree.refused.space_license" });
  requireDone(result, body[place] ? place : "");
  return result?.copyId ?? "";
}

async function checkName(value: unknown): Promise<string> {
  const result = await eventNameField.safeParseAsync(value);
  if (result.success) return result.data;
  throw new InvalidError({ eventName: result.error.issues.map(({ message }) => ({ key: message })) });
}
