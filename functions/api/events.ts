import type { Hono } from "hono";
import { ConflictError, InvalidError } from "#functions/services/errors";
import type { CurrentSession } from "#functions/services/sessions";
import { createEventSchema } from "~/domain/event.schema";
import { EVENT_FORM_SECRETS, type EventFormInput, eventFormInput } from "~/domain/event-form";
import type { Event } from "~/domain/model";
import { readUrlParamDefinitions } from "~/domain/url-params";
import definitions from "../../public/url_params.json";
import type { ApiEnv } from "./context";
import {
  type ApiCall,
  check,
  idField,
  listAnswer,
  listQuery,
  readBody,
  requiredId,
  requireSession,
  uuidParam,
} from "./request";
import { eventJson } from "./shapes";

const urlParams = readUrlParamDefinitions(definitions);

/** The API's names of the event form's fields. */
const FORM_FIELDS = {
  version: "version",
  event_name: "eventName",
  start_date: "startDate",
  end_date: "endDate",
  status_id: "statusId",
  enable_auto_change_status: "enableAutoChangeStatus",
  event_detail: "eventDetail",
  sp_store_url: "spStoreUrl",
  sp_access_token: "spAccessToken",
  publish_password: "publishPassword",
  remove_publish_password: "removePublishPassword",
} as const satisfies Record<string, keyof EventFormInput>;

/** A new event's form before the caller's values: §3 counts a missing flag as true. */
const EMPTY: EventFormInput = {
  version: 0,
  eventName: "",
  startDate: null,
  endDate: null,
  statusId: 1,
  enableAutoChangeStatus: true,
  eventDetail: "",
  spStoreUrl: null,
  spAccessToken: null,
};

/** Events (§7): /v1/events. */
export function eventRoutes(app: Hono<ApiEnv>): void {
  app.get("/v1/events", async (c) => {
    const { actor } = await requireSession(c);
    const { page, limit } = await listQuery(c);
    return listAnswer(
      c,
      await c.env.services.events.listOwnEvents({ actor, page, pageSize: limit }),
      eventJson,
    );
  });

  app.get("/v1/events/uuid/:uuid", async (c) => {
    const { actor } = await requireSession(c);
    const { event, currentStatus } = await c.env.services.events.getEvent({ actor, eventId: uuidParam(c) });
    return c.json([eventJson({ ...event, currentStatus })]);
  });

  app.get("/v1/events/space_uuid/:uuid", async (c) => {
    const { actor } = await requireSession(c);
    const { page, limit } = await listQuery(c);
    const spaceId = uuidParam(c);
    const { events } = await c.env.services.events.listEvents({ actor, spaceId, page, pageSize: limit });
    return listAnswer(c, events, eventJson);
  });

  app.post("/v1/events", async (c) => {
    const session = await requireSession(c);
    const body = await readBody(c);
    const spaceId = requiredId(body, "space_uuid");
    const values = await readForm(c, session, body, null);
    const event = await c.env.services.events.createEvent({
      actor: session.actor,
      spaceId,
      eventName: values.eventName,
      values,
    });
    return c.json(eventJson(event), 201);
  });

  app.put("/v1/events/:uuid", async (c) => {
    const session = await requireSession(c);
    const eventId = uuidParam(c);
    const body = await readBody(c);
    const { event } = await c.env.services.events.getEvent({ actor: session.actor, eventId });
    const spaceId = idField(body, "space_uuid");
    if (spaceId !== undefined && spaceId !== event.spaceId)
      throw new InvalidError({ space_uuid: [{ key: "errors.field.invalid" }] });
    const values = await readForm(c, session, body, event);
    const result = await c.env.services.events.updateEvent({ actor: session.actor, eventId, values });
    if (result.status === "conflict") throw new ConflictError(eventJson(result.saved), withoutSecrets(body));
    return c.json(eventJson(result.event));
  });

  app.delete("/v1/events/:uuid", async (c) => {
    const { actor } = await requireSession(c);
    const eventId = uuidParam(c);
    await c.env.services.events.deleteEvent({ actor, eventId });
    return c.json({ status: "success", uuid: eventId });
  });
}

/**
 * The event form with the fields that the caller sent; the others stay as they are saved. A caller that names no version
 * starts from the one that is saved now.
 */
function readForm(
  c: ApiCall,
  session: CurrentSession,
  body: Readonly<Record<string, unknown>>,
  saved: Event | null,
) {
  const { timeZone } = session.user;
  // As the page's form does: without the store's token, which stays with its store unless the caller names one.
  const form: Record<string, unknown> = {
    ...(saved ? eventFormInput({ ...saved, spAccessToken: null }, timeZone) : EMPTY),
  };
  const hasSavedStoreToken = saved?.spAccessToken != null && !Object.hasOwn(body, "sp_access_token");
  for (const [name, field] of Object.entries(FORM_FIELDS)) {
    if (Object.hasOwn(body, name)) form[field] = body[name];
  }
  if (Object.hasOwn(body, "url_params")) {
    form.urlParams = parsedParams(body.url_params);
    form.extraParams = [];
  }
  const isAllowedStoreHost = c.env.config.isAllowedStoreHost;
  const { now } = c.env;
  const schema = createEventSchema({
    now,
    timeZone,
    saved,
    hasSavedStoreToken,
    urlParams,
    isAllowedStoreHost,
  });
  return check(schema, form);
}

/** url_params comes as an object or, as §7 says, serialised. What is neither is left to the schema to refuse. */
function parsedParams(value: unknown): unknown {
  if (typeof value !== "string" || value === "") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** What was submitted, to be shown beside what is saved; secrets are never echoed. */
function withoutSecrets(body: Readonly<Record<string, unknown>>) {
  const secrets: readonly string[] = EVENT_FORM_SECRETS;
  const names: Readonly<Record<string, string>> = FORM_FIELDS;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !secrets.includes(names[name] ?? "")));
}
