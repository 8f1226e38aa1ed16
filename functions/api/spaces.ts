import type { Hono } from "hono";
import type { ApiEnv } from "./context";
import { listAnswer, listQuery, noPages, requireSession, sliceAnswer, uuidParam } from "./request";
import { spaceJson } from "./shapes";

/** Spaces (§7): /v1/spaces. */
export function spaceRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/spaces", async (c) => {
    const { actor } = await requireSession(c);
    const { page, limit, q, cursor } = await listQuery(c);
    const { spaces, tree } = c.env.services;
    if (q === null && cursor.at === "first")
      return listAnswer(c, (await spaces.listSpaces({ actor, page, pageSize: limit })).spaces, spaceJson);
    if (page > 1) throw noPages();
    const search = { folderType: "space", kinds: ["space"], q: q ?? "" } as const;
    const found = await tree.searchTree({ actor, ...search, cursor, pageSize: limit });
    const items = found.items.flatMap((each) => (each.kind === "space" ? [each.space] : []));
    return sliceAnswer(c, { ...found, items }, spaceJson);
  });

  app.get("/v1/spaces/uuid/:uuid", async (c) => {
    const { actor } = await requireSession(c);
    const space = await c.env.services.spaces.getSpace({ actor, spaceId: uuidParam(c) });
    return c.json([spaceJson(space)]);
  });
}
