import type { Hono } from "hono";
import { passwordFlagCookie, passwordFlagName, readCookie } from "#functions/platform/cookies";
import { AppError, InvalidError, NotFoundError } from "#functions/services/errors";
import type { VisitorMedia, VisitorResult, VisitorTag } from "#functions/services/visitors";
import { mediaToJson, tagToJson } from "~/domain/content-json";
import { isUuid } from "~/domain/ids";
import type { EventMedia, EventTag, LinkMode, Space, Uuid } from "~/domain/model";
import { createPublishPasswordSchema } from "~/domain/publish-password.schema";
import type { ApiEnv } from "./context";
import { type ApiCall, check, ipOf, readBody, requireSameOrigin, requireSession, uuidParam } from "./request";
import { lockedEventJson, sidJson, visitorEventJson } from "./shapes";

interface Parts {
  readonly eventId: Uuid;
  readonly space: Pick<Space, "id" | "sid">;
  readonly tags: readonly (VisitorTag | EventTag)[];
  readonly media: readonly (VisitorMedia | EventMedia)[];
}

/** What visitors read (§7): by the token of their link, without a session. */
export function visitorRoutes(app: Hono<ApiEnv>): void {
  const fetchEvent = (mode: LinkMode) => async (c: ApiCall) => {
    const found = await readLink(c, uuidParam(c), mode, c.req.param("token") ?? null);
    if (found.state === "closed") throw new NotFoundError("event");
    return c.json(found.state === "open" ? visitorEventJson(found.event) : lockedEventJson(found.event));
  };
  app.get("/fetch_publish_event/:uuid/:token", fetchEvent("published"));
  app.get("/fetch_preview_event/:uuid/:token", fetchEvent("preview"));

  app.get("/fetch_event_sid/event_uuid/:uuid", async (c) => {
    const { space, eventId } = await readParts(c);
    return c.json(sidJson(space, eventId));
  });
  app.get("/fetch_event_tags/event_uuid/:uuid", async (c) => {
    const { tags, eventId } = await readParts(c);
    return c.json(tags.map((tag) => tagToJson(tag, eventId)));
  });
  app.get("/fetch_event_media/event_uuid/:uuid", async (c) => {
    const { media, eventId } = await readParts(c);
    return c.json(media.map((medium) => mediaToJson(medium, eventId)));
  });

  app.post("/authenticate_publish_event_password", async (c) => {
    requireSameOrigin(c);
    const body = await readBody(c);
    const eventId = body.event_uuid;
    const token = body.token;
    if (!isUuid(eventId)) throw new InvalidError({ eventUuid: [{ key: "errors.field.invalid" }] });
    if (typeof token !== "string" || token === "")
      throw new InvalidError({ token: [{ key: "errors.field.required" }] });
    const { password } = await check(createPublishPasswordSchema(), { password: body.password });
    const mode = body.mode === "preview" ? "preview" : "published";
    const result = await c.env.services.visitors.authenticatePublishPassword({
      ...{ eventId, mode, token, password },
      ip: ipOf(c),
    });
    if (!result.success) return c.json({ success: false });
    if (result.flag) {
      const { value, maxAge } = result.flag;
      c.header("set-cookie", passwordFlagCookie(eventId, value, maxAge, !c.env.config.development));
    }
    return c.json({ success: true });
  });
}

function readLink(
  c: ApiCall,
  eventId: Uuid,
  mode: LinkMode,
  token: string | null,
  ip: string | null = ipOf(c),
) {
  const passwordFlag = readCookie(c.req.raw, passwordFlagName(eventId));
  return c.env.services.visitors.readVisitorEvent({
    eventId,
    mode,
    token,
    passwordFlag,
    ...(ip !== null && { ip }),
  });
}

/** An event's parts, by the token of either link or, without one, for whoever may see the event by session. */
async function readParts(c: ApiCall): Promise<Parts> {
  const eventId = uuidParam(c);
  const token = c.req.query("token");
  if (token === undefined) {
    const { actor } = await requireSession(c);
    return { eventId, ...(await c.env.services.events.getEvent({ actor, eventId })) };
  }
  // The token alone says which link it belongs to; only the second look counts a wrong one.
  let found: VisitorResult = await readLink(c, eventId, "published", token, null);
  if (found.state === "closed") found = await readLink(c, eventId, "preview", token);
  if (found.state === "closed") throw new NotFoundError("event");
  if (found.state === "locked") {
    throw new AppError({
      kind: "forbidden",
      code: "password_required",
      message: "the event's publish password was not given",
      words: { key: "services.forbidden" },
    });
  }
  return { eventId, ...found.event };
}
