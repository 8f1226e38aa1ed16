import * as z from "zod";
import { eventAccessCookieName, formatEventAccessCookie, readCookie } from "#functions/http/cookies";
import { AppError, NotFoundError } from "#functions/services/shared/errors";
import type {
  VisitorEvent,
  VisitorLink,
  VisitorMedia,
  VisitorResult,
  VisitorTag,
} from "#functions/services/visitors/event-access";
import { mediaToJson, tagToJson } from "~/domain/content/content-json";
import { createPublishPasswordSchema } from "~/domain/events/publish-password.schema";
import { field } from "~/domain/shared/fields.schema";
import { PASSWORD_MAX } from "~/domain/shared/limits";
import type { EventMedia, EventTag, LinkMode, Space, Uuid } from "~/domain/shared/model";
import {
  EventMediaItemSchema,
  LockedEventSchema,
  SidSchema,
  TagSchema,
  VisitorEventSchema,
} from "../content/content-schemas";
import { call, type ProblemCode } from "../core/call";
import { describe, requiredId, uncheckedOptionalField } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { lockedEventJson, sidJson, visitorEventJson } from "../core/record-json";
import { type ApiCall, getClientNetwork, requireSameOrigin, requireSession } from "../core/request";

interface EventParts {
  readonly eventId: Uuid;
  readonly space: Pick<Space, "id" | "sid">;
  readonly tags: readonly (VisitorTag | EventTag)[];
  readonly media: readonly (VisitorMedia | EventMedia)[];
}

const tokenField = field<string>((value) =>
  typeof value === "string" && value !== "" ? { value } : { error: "shared-owners:errors.field.required" },
);
const tokenQuery = z.object({
  token: uncheckedOptionalField({
    type: "string",
    description: "Token of a link. Without it, the session's user must be allowed to see the event.",
  }),
});
const LINK_DESCRIPTION = "Needs the token of a link, or the session of a user who may see the event.";

const fetchEventCall = (id: string, mode: LinkMode, path: string) =>
  call({
    id,
    method: "GET",
    path: `${path}/{uuid}/{token}` as "/{uuid}/{token}",
    tag: "visitors",
    summary: `Get the event behind ${mode === "preview" ? "a preview" : "a public"} link`,
    description:
      "404 while the link is closed. If the event has a publish password that was not entered, the response contains only its id and its name, which is null if the owner hides it.",
    who: "anyone",
    may: PERMISSION_TEXTS.link,
    response: z.union([VisitorEventSchema, LockedEventSchema]),
    problems: ["not_found", "rate_limited"],
    handle: async ({ c, params }) => {
      const link = await readLink(c, params.uuid, mode, params.token);
      if (link.state === "closed") throw new NotFoundError("event");
      return link.state === "open" ? visitorEventJson(link.event) : lockedEventJson(link.event);
    },
  });

const PARTS_PROBLEMS = [
  "unauthenticated",
  "password_required",
  "rate_limited",
] as const satisfies readonly ProblemCode[];

/** Calls for visitors (specification §7), by the token of a link. The calls for the space and the content of an event also accept a session. */
export const visitorCalls = [
  fetchEventCall("fetchPublishedEvent", "published", "/fetch_publish_event"),
  fetchEventCall("fetchPreviewEvent", "preview", "/fetch_preview_event"),

  call({
    id: "fetchEventSid",
    method: "GET",
    path: "/fetch_event_sid/event_uuid/{uuid}",
    tag: "visitors",
    summary: "Get the space of an event",
    description: LINK_DESCRIPTION,
    who: "anyone",
    may: PERMISSION_TEXTS.link,
    query: tokenQuery,
    response: SidSchema,
    problems: PARTS_PROBLEMS,
    handle: async ({ c, params, query }) => {
      const { space, eventId } = await readParts(c, params.uuid, query.token);
      return sidJson(space, eventId);
    },
  }),
  call({
    id: "fetchEventTags",
    method: "GET",
    path: "/fetch_event_tags/event_uuid/{uuid}",
    tag: "visitors",
    summary: "List the tags of an event",
    description: LINK_DESCRIPTION,
    who: "anyone",
    may: PERMISSION_TEXTS.link,
    query: tokenQuery,
    response: z.array(TagSchema),
    wholeListKey: "uuid",
    problems: PARTS_PROBLEMS,
    handle: async ({ c, params, query }) => {
      const { tags, eventId } = await readParts(c, params.uuid, query.token);
      return tags.map((tag) => tagToJson(tag, eventId));
    },
  }),
  call({
    id: "fetchEventMedia",
    method: "GET",
    path: "/fetch_event_media/event_uuid/{uuid}",
    tag: "visitors",
    summary: "List the media of an event, oldest first",
    description: LINK_DESCRIPTION,
    who: "anyone",
    may: PERMISSION_TEXTS.link,
    query: tokenQuery,
    response: z.array(EventMediaItemSchema),
    wholeListKey: "uuid",
    problems: PARTS_PROBLEMS,
    handle: async ({ c, params, query }) => {
      const { media, eventId } = await readParts(c, params.uuid, query.token);
      return media.map((mediaItem) => mediaToJson(mediaItem, eventId));
    },
  }),

  call({
    id: "authenticatePublishPassword",
    method: "POST",
    path: "/authenticate_publish_event_password",
    tag: "visitors",
    summary: "Submit an event's publish password",
    description: "The right password sets a cookie that grants access to this event only.",
    who: "anyone",
    may: PERMISSION_TEXTS.link,
    body: z.object({
      event_uuid: requiredId("The event."),
      token: describe(tokenField, { type: "string", minLength: 1, description: "The token of the link." }),
      password: describe(createPublishPasswordSchema().shape.password, {
        type: "string",
        minLength: 1,
        maxLength: PASSWORD_MAX,
      }),
      mode: uncheckedOptionalField({
        enum: ["published", "preview"],
        default: "published",
        description: "The kind of the link.",
      }),
    }),
    response: z.object({ success: z.boolean() }).meta({ id: "PasswordAnswer" }),
    problems: ["cross_site", "rate_limited", "not_found"],
    handle: async ({ c, services, body }) => {
      requireSameOrigin(c);
      const { event_uuid: eventId, token, password } = body;
      const mode = body.mode === "preview" ? "preview" : "published";
      const result = await services.visitors.authenticatePublishPassword({
        eventId,
        mode,
        token,
        password,
        network: getClientNetwork(c),
      });
      if (!result.success) return { success: false };
      if (result.accessCookie) {
        const { value, maxAge } = result.accessCookie;
        c.header("set-cookie", formatEventAccessCookie(eventId, value, maxAge, !c.env.config.development));
      }
      return { success: true };
    },
  }),
];

/** Reads an event by the token of one of its links. @param network the caller's network, for which a wrong token is counted; null counts none */
function readLink(
  c: ApiCall,
  eventId: Uuid,
  mode: LinkMode,
  token: string | null,
  network: string | null = getClientNetwork(c),
) {
  const eventAccessCookie = readCookie(c.req.raw, eventAccessCookieName(eventId));
  return c.env.services.visitors.readVisitorEvent({
    eventId,
    mode,
    token,
    eventAccessCookie,
    ...(network !== null && { network }),
  });
}

/** Returns an event's parts, for the token of either link or, without a token, for the session of a user who may see the event. */
async function readParts(c: ApiCall, eventId: Uuid, tokenParam: unknown): Promise<EventParts> {
  const token = Array.isArray(tokenParam) ? "" : tokenParam;
  if (typeof token !== "string") {
    const { actor } = await requireSession(c);
    return { eventId, ...(await c.env.services.events.getEvent({ actor, eventId })) };
  }
  return { eventId, ...(await requireOpenLink(c, eventId, token)).event };
}

/**
 * Returns an event's link by its token, and the event, if the link is open now.
 * @throws NotFoundError for a closed link, AppError password_required for a link that requires the publish password
 */
export async function requireOpenLink(
  c: ApiCall,
  eventId: Uuid,
  token: string,
): Promise<{ readonly link: VisitorLink; readonly event: VisitorEvent }> {
  // The token identifies one of the two links. Only the second attempt counts a wrong token.
  let mode: LinkMode = "published";
  let link: VisitorResult = await readLink(c, eventId, mode, token, null);
  if (link.state === "closed") {
    mode = "preview";
    link = await readLink(c, eventId, mode, token);
  }
  if (link.state === "closed") throw new NotFoundError("event");
  if (link.state === "locked") {
    throw new AppError({
      kind: "forbidden",
      code: "password_required",
      message: "the event's publish password was not given",
      userMessage: { key: "api:services.forbidden" },
    });
  }
  const eventAccessCookie = readCookie(c.req.raw, eventAccessCookieName(eventId));
  return { link: { eventId, mode, token, eventAccessCookie }, event: link.event };
}
