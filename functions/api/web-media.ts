import type { Hono } from "hono";
import { webToJson } from "~/domain/content-json";
import { versionField } from "~/domain/tree.schema";
import { createWebMediaSchema } from "~/domain/web-media.schema";
import type { ApiEnv } from "./context";
import { optionalId } from "./folders";
import { check, readBody, requireSession, uuidParam } from "./request";
import { libraryItemJson } from "./shapes";

/** Web media (§5): what an address shows, taking it into a library, and putting another one in its place. */
export function webMediaRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/media/preview", async (c) => {
    const { actor } = await requireSession(c);
    const url = c.req.query("url") ?? "";
    const { medium, title } = await c.env.services.webMedia.previewWebMedium({ actor, url });
    return c.json({ ...webToJson(medium), title });
  });

  app.post("/v1/media", async (c) => {
    const { actor } = await requireSession(c);
    const body = await readBody(c);
    const { url, title } = await check(createWebMediaSchema(), { url: body.url, title: body.title });
    const item = await c.env.services.webMedia.addWebMedium({
      actor,
      url: url.url,
      title,
      folderId: optionalId(body.folder_uuid, "folderUuid"),
      ownerId: optionalId(body.owner_uuid, "ownerUuid"),
    });
    return c.json(libraryItemJson(item), 201);
  });

  app.put("/v1/media/:uuid/web", async (c) => {
    const { actor } = await requireSession(c);
    const id = uuidParam(c);
    const body = await readBody(c);
    const version = (await check(versionField, body.version)) ?? undefined;
    const { webMedia } = c.env.services;
    if (body.url == null)
      return c.json(libraryItemJson(await webMedia.replaceWebMedium({ actor, id, version })));
    const { url, title } = await check(createWebMediaSchema(), { url: body.url, title: body.title });
    return c.json(
      libraryItemJson(await webMedia.replaceWebMedium({ actor, id, version, url: url.url, title })),
    );
  });
}
