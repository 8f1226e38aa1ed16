import type { Hono } from "hono";
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  LimitError,
  NotFoundError,
} from "#functions/services/errors";
import type { CommandResult, ContentItem, PartType } from "~/domain/content";
import {
  apiPath,
  changeToJson,
  commandFromJson,
  contentToJson,
  mediaToJson,
  resultToJson,
  tagToJson,
} from "~/domain/content-json";
import { toUuid } from "~/domain/ids";
import { EVENT_TAGS_MAX } from "~/domain/limits";
import type { Uuid } from "~/domain/model";
import type { ApiEnv } from "./context";
import { type ApiCall, idField, queryId, readBody, requiredId, requireSession, uuidParam } from "./request";

/** The content of events: /v1/events/{uuid}/content and /changes, and one thing at a time (§7): /v1/event_tags, /v1/event_media. */
export function contentRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/events/:uuid/content", async (c) => {
    const { actor } = await requireSession(c);
    const eventId = uuidParam(c);
    return c.json(contentToJson(await c.env.services.content.getContent({ actor, eventId }), eventId));
  });

  app.post("/v1/events/:uuid/content", async (c) => {
    const { actor } = await requireSession(c);
    const eventId = uuidParam(c);
    const { commands } = await readBody(c);
    if (!Array.isArray(commands)) throw new InvalidError({ commands: [{ key: "errors.field.invalid" }] });
    const { seq, act, results } = await c.env.services.content.editContent({
      actor,
      eventId,
      commands: commands.map(commandFromJson),
    });
    return c.json({ seq, act, results: results.map((result) => resultToJson(result, eventId)) });
  });

  app.get("/v1/events/:uuid/changes", async (c) => {
    const { actor } = await requireSession(c);
    const eventId = uuidParam(c);
    const after = c.req.query("after") ?? "0";
    if (!/^\d{1,15}$/.test(after)) throw new InvalidError({ after: [{ key: "errors.field.invalid" }] });
    const { seq, changes, more } = await c.env.services.content.readChanges({
      ...{ actor, eventId },
      after: Number(after),
    });
    return c.json({ seq, changes: changes.map((change) => changeToJson(change, eventId)), more });
  });

  app.post("/v1/events/:uuid/content/copy", async (c) => {
    const { actor } = await requireSession(c);
    const eventId = uuidParam(c);
    const body = await readBody(c);
    const targetEventId = requiredId(body, "event_uuid");
    const items = {
      tags: idList(body.tag_uuids, "tag_uuids"),
      media: idList(body.media_uuids, "media_uuids"),
    };
    const copied = await c.env.services.content.copyContent({ actor, eventId, items, targetEventId });
    return c.json(
      {
        seq: copied.seq,
        results: copied.results.map((result, i) => ({
          copy_of: copied.from[i],
          ...resultToJson(result, targetEventId),
        })),
        lacking: copied.lacking.map(({ id, mediaIds }) => ({ uuid: id, media_uuids: mediaIds })),
      },
      201,
    );
  });

  partRoutes(app, "tag", "/v1/event_tags");
  partRoutes(app, "media", "/v1/event_media");
}

/** One tag or medium at a time. */
function partRoutes(app: Hono<ApiEnv>, type: PartType, path: string): void {
  app.post(path, async (c) => {
    const { actor } = await requireSession(c);
    const body = await readBody(c);
    const eventId = requiredId(body, "event_uuid");
    const id = idField(body, "uuid") ?? crypto.randomUUID();
    const command = { op: `create_${type}`, uuid: id, values: body };
    return c.json(itemOf(await one(c, actor, eventId, command, body), eventId), 201);
  });

  app.put(`${path}/:uuid`, async (c) => {
    const { actor } = await requireSession(c);
    const id = uuidParam(c);
    const body = await readBody(c);
    const named = idField(body, "event_uuid");
    const { eventId, version } = await c.env.services.content.findPart({ actor, type, id, eventId: named });
    const command = { op: `update_${type}`, uuid: id, version: body.version ?? version, values: body };
    return c.json(itemOf(await one(c, actor, eventId, command, body), eventId));
  });

  app.delete(`${path}/:uuid`, async (c) => {
    const { actor } = await requireSession(c);
    const id = uuidParam(c);
    const named = queryId(c, "event_uuid");
    const { eventId, version } = await c.env.services.content.findPart({ actor, type, id, eventId: named });
    await one(c, actor, eventId, { op: "delete", type, uuid: id, version }, {});
    return c.json({ status: "success", uuid: id });
  });
}

/** Does one command. What is refused is an error here, as everywhere in the API. */
async function one(
  c: ApiCall,
  actor: Awaited<ReturnType<typeof requireSession>>["actor"],
  eventId: Uuid,
  command: object,
  submitted: unknown,
): Promise<Extract<CommandResult, { ok: true }>> {
  const commands = [commandFromJson(command)];
  const { results } = await c.env.services.content.editContent({ actor, eventId, commands });
  const [result] = results;
  if (result?.ok) return result;
  switch (result?.reason) {
    case "stale":
      throw new ConflictError(result.saved ? itemOf(result.saved, eventId) : null, submitted);
    case "forbidden":
      throw new ForbiddenError("edit event");
    case "limit":
      throw new LimitError("too_many_items", {
        key: "errors.content.limit",
      });
    case "invalid":
      throw new InvalidError(
        Object.fromEntries(
          Object.entries(result.errors ?? {}).map(([path, keys]) => [
            apiPath(path),
            keys.map((key) => ({ key })),
          ]),
        ),
      );
    default:
      throw new NotFoundError("item");
  }
}

function itemOf(item: ContentItem, eventId: Uuid) {
  if (item.type === "tag") return item.item && tagToJson(item.item, eventId);
  return item.type === "media" ? item.item && mediaToJson(item.item, eventId) : null;
}

function idList(value: unknown, name: string): readonly Uuid[] {
  const list: unknown = value ?? [];
  const ids = Array.isArray(list) && list.length <= EVENT_TAGS_MAX ? list.map(toUuid) : [null];
  if (ids.includes(null)) throw new InvalidError({ [name]: [{ key: "errors.field.invalid" }] });
  return ids.filter((id) => id !== null);
}
