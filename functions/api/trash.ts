import type { Hono } from "hono";
import { BATCH_LISTS } from "~/domain/tree.schema";
import { KINDS } from "./batch";
import type { ApiEnv } from "./context";
import { itemJson, readFolderType, requireDone } from "./folders";
import { listQuery, noPages, queryId, requireSession, sliceAnswer, uuidParam } from "./request";
import { eventJson, trashedEventJson, trashedItemJson } from "./shapes";

/** What was deleted within 30 days, and taking it back: /v1/trash, /v1/events/space_uuid/{uuid}/trash, …/{uuid}/restore. */
export function trashRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/trash", async (c) => {
    const { actor } = await requireSession(c);
    const { cursor, limit, page } = await listQuery(c);
    const folderType = readFolderType(c.req.query("folder_type")) ?? "space";
    if (page > 1) throw noPages();
    const ownerId = queryId(c, "owner_uuid");
    const asked = { actor, folderType, ownerId, cursor, pageSize: limit };
    return sliceAnswer(c, await c.env.services.tree.listTrash(asked), trashedItemJson);
  });

  for (const list of BATCH_LISTS)
    app.post(`/v1/${list}/:uuid/restore`, async (c) => {
      const { actor } = await requireSession(c);
      const id = uuidParam(c);
      const kind = KINDS[list];
      const [result] = await c.env.services.tree.restoreItems({ actor, selection: { [kind]: [id] } });
      requireDone(result);
      return c.json(await itemJson(c, actor, kind, id));
    });

  app.get("/v1/events/space_uuid/:uuid/trash", async (c) => {
    const { actor } = await requireSession(c);
    const spaceId = uuidParam(c);
    await c.env.services.spaces.getSpace({ actor, spaceId });
    const deleted = await c.env.services.events.listDeletedEvents({ actor, spaceId });
    return c.json(deleted.map((event) => trashedEventJson(event, spaceId)));
  });

  app.post("/v1/events/:uuid/restore", async (c) => {
    const { actor } = await requireSession(c);
    const eventId = uuidParam(c);
    const { events } = c.env.services;
    await events.restoreEvent({ actor, eventId });
    const { event, currentStatus } = await events.getEvent({ actor, eventId });
    return c.json(eventJson({ ...event, currentStatus }));
  });
}
