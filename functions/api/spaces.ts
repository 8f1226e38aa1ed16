import type { Hono } from "hono";
import type { ApiEnv } from "./context";
import { listAnswer, listQuery, requireSession, uuidParam } from "./request";
import { spaceJson } from "./shapes";

/** Spaces (§7): /v1/spaces. */
export function spaceRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/spaces", async (c) => {
    const { actor } = await requireSession(c);
    const { page, limit, q } = await listQuery(c);
    const list = await c.env.services.spaces.listSpaces({ actor, page, pageSize: limit, q: q ?? "" });
    return listAnswer(c, list.spaces, spaceJson);
  });

  app.get("/v1/spaces/uuid/:uuid", async (c) => {
    const { actor } = await requireSession(c);
    const space = await c.env.services.spaces.getSpace({ actor, spaceId: uuidParam(c) });
    return c.json([spaceJson(space)]);
  });
}
