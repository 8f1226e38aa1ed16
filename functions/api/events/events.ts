import * as z from "zod";
import { ConflictError, InvalidError } from "#functions/services/shared/errors";
import { createEventSchema } from "~/domain/events/event.schema";
import { eventTemplateField } from "~/domain/events/event-create.schema";
import { EVENT_FORM_SECRETS, type EventFormInput, eventFormInput } from "~/domain/events/event-form";
import { mergeSentName, mergeSentText } from "~/domain/events/event-texts";
import { EVENT_TEMPLATES } from "~/domain/events/templates/event-template";
import { EVENT_TEMPLATE_NAMES } from "~/domain/events/templates/template-names";
import { readUrlParamDefinitions } from "~/domain/events/url-params";
import { type Cursor, FIRST_PAGE } from "~/domain/shared/cursor";
import { isRecord } from "~/domain/shared/is-record";
import { LANGS } from "~/domain/shared/lang";
import {
  EVENT_DETAIL_MAX,
  EVENT_NAME_MAX,
  PAGE_SIZE_MAX,
  PASSWORD_MAX,
  STORE_TOKEN_MAX,
  STORE_URL_MAX,
} from "~/domain/shared/limits";
import type { Event, Lang, User, Uuid } from "~/domain/shared/model";
import definitions from "../../../public/url_params.json";
import { authenticatedRead, call } from "../core/call";
import { optional, optionalId, requiredId, streamParams, uncheckedOptionalField } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { deletedJson, eventJson } from "../core/record-json";
import {
  type ApiCall,
  listResponse,
  pageNumberError,
  requireByTicket,
  sliceResponse,
  validate,
  withBodyFieldNames,
} from "../core/request";
import { DeletedSchema, EventSchema } from "../core/schemas";
import { streamList } from "../core/stream-list";

const urlParams = readUrlParamDefinitions(definitions);

/** Fields of the event form by their names in the API. Texts and url_params are read separately. */
const FORM_FIELDS = {
  version: "version",
  start_date: "startDate",
  end_date: "endDate",
  status_id: "statusId",
  enable_auto_change_status: "enableAutoChangeStatus",
  sp_store_url: "spStoreUrl",
  sp_access_token: "spAccessToken",
  publish_password: "publishPassword",
  remove_publish_password: "removePublishPassword",
  show_before_password: "showBeforePassword",
} as const satisfies Record<string, keyof EventFormInput>;

/** Default values of a new event's form. By specification §3 a missing enable_auto_change_status is true. */
const NEW_EVENT_INPUT: EventFormInput = {
  version: 0,
  eventName: {},
  startDate: null,
  endDate: null,
  statusId: 1,
  enableAutoChangeStatus: true,
  eventDetail: {},
  spStoreUrl: null,
  spAccessToken: null,
};

const nullableText = (max: number, description?: string) => ({
  type: ["string", "null"],
  maxLength: max,
  ...(description && { description }),
});
const dateJson = (description: string) => ({
  type: ["string", "null"],
  description: `${description} ISO 8601 with a zone, or a time of the account's zone without one.`,
  examples: ["2027-04-01T01:00:00Z"],
});

const eventName = {
  type: "string",
  minLength: 1,
  maxLength: EVENT_NAME_MAX,
  description:
    "The Japanese name, or the English one if there is none. For a new event: Japanese if it has Japanese characters, otherwise English.",
} as const;
/** JSON Schema of a text by language. @param max maximum number of characters @param subject begins the description */
export const textByLangJson = (max: number, subject: string) => ({
  type: ["object", "null"],
  properties: Object.fromEntries(LANGS.map((lang) => [lang, { type: ["string", "null"], maxLength: max }])),
  description: `${subject} by language. An omitted language is kept; an empty text removes it. Takes precedence over the single text of the same language.`,
});
/** Fields of an event's form. They are validated later by a schema that needs the event and the clock (app/domain/events/event.schema). */
const eventFields = {
  event_name: uncheckedOptionalField(eventName),
  names: uncheckedOptionalField(textByLangJson(EVENT_NAME_MAX, "The name, unique within the space,")),
  start_date: uncheckedOptionalField(dateJson("Time of automatic publication.")),
  end_date: uncheckedOptionalField(dateJson("Time of automatic closing.")),
  status_id: uncheckedOptionalField({
    type: "integer",
    minimum: 1,
    maximum: 4,
    description: "1 Unpublished, 2 Preview, 3 Published, 4 Archived.",
  }),
  enable_auto_change_status: uncheckedOptionalField({
    type: ["boolean", "null"],
    description: "Whether the dates change the status.",
  }),
  event_detail: uncheckedOptionalField(
    nullableText(EVENT_DETAIL_MAX, "The Japanese details, or the English ones if there are none."),
  ),
  details: uncheckedOptionalField(textByLangJson(EVENT_DETAIL_MAX, "The details")),
  sp_store_url: uncheckedOptionalField(
    nullableText(STORE_URL_MAX, "The store. Another one needs its own token in the same call."),
  ),
  sp_access_token: uncheckedOptionalField(
    nullableText(
      STORE_TOKEN_MAX,
      "A storefront token of the store, public or private (`shpat_…`). A saved one is kept only while the store stays the same.",
    ),
  ),
  publish_password: uncheckedOptionalField(
    nullableText(PASSWORD_MAX, "The password that visitors must enter."),
  ),
  remove_publish_password: uncheckedOptionalField({ type: ["boolean", "null"] }),
  show_before_password: uncheckedOptionalField({
    type: ["boolean", "null"],
    description: "Whether visitors see the name and the cover image before they enter the password.",
  }),
  url_params: uncheckedOptionalField({
    type: ["object", "string", "null"],
    additionalProperties: { type: ["string", "number"] },
    description: "The parameters of the viewer (/url_params.json), as an object or as its JSON.",
  }),
};

const template = optional(eventTemplateField, {
  type: ["string", "null"],
  enum: [...EVENT_TEMPLATE_NAMES, null],
  description:
    "The template with which the event begins: tags that are to be placed, with keywords in the account's language, a tour of them, the space's start view, and texts in both languages.",
});

/**
 * Lists events, newest first. Each part is read in one round trip with the caller's session. Callers without a limit, page or cursor receive all
 * events.
 */
async function listEventsResponse(
  c: ApiCall,
  spaceId: Uuid | null,
  { page, limit, cursor }: { readonly page: number; readonly limit: number; readonly cursor: Cursor },
): Promise<Response> {
  if (cursor.position !== "first" && page > 1) throw pageNumberError();
  const readPart = (part: { readonly page: number; readonly cursor: Cursor; readonly size: number }) =>
    requireByTicket(c, (ticket) =>
      c.env.services.authenticatedReads.readEvents({ ticket, spaceId, ...part }),
    );
  const isWhole = ["page", "limit", "cursor"].every((name) => !c.req.query(name));
  if (isWhole) {
    const readPartAt = (partCursor: Cursor) => readPart({ page: 1, cursor: partCursor, size: PAGE_SIZE_MAX });
    const firstPart = await readPartAt(FIRST_PAGE);
    c.header("x-total-count", String(firstPart.total));
    return streamList(c, firstPart, readPartAt, eventJson);
  }
  const list = await readPart({ page, cursor, size: limit });
  return cursor.position === "first"
    ? listResponse(c, { ...list, page, pageSize: limit }, eventJson)
    : sliceResponse(c, { ...list, total: { count: list.total, hasMore: false } }, eventJson);
}

/** Events (specification §7): /v1/events. */
export const eventCalls = [
  call({
    id: "listEvents",
    method: "GET",
    path: "/v1/events",
    tag: "events",
    summary: "List the caller's own events in all spaces, newest first",
    who: "user",
    may: PERMISSION_TEXTS.own,
    query: z.object(streamParams),
    response: z.array(EventSchema),
    list: "pages",
    authenticatesItself: true,
    handle: ({ c, query }) => listEventsResponse(c, null, query),
  }),

  authenticatedRead({
    id: "getEvent",
    path: "/v1/events/uuid/{uuid}",
    tag: "events",
    may: PERMISSION_TEXTS.event,
    summary: "Get an event, as an array with one element",
    response: z.array(EventSchema).length(1),
    read: async ({ authenticatedReads }, { ticket, params }) => {
      const event = await authenticatedReads.readEvent({ ticket, id: params.uuid });
      return event && [eventJson(event)];
    },
  }),

  call({
    id: "listEventsOfSpace",
    method: "GET",
    path: "/v1/events/space_uuid/{uuid}",
    tag: "events",
    summary: "List the events of a space, newest first",
    who: "user",
    may: PERMISSION_TEXTS.event,
    query: z.object(streamParams),
    response: z.array(EventSchema),
    list: "pages",
    authenticatesItself: true,
    handle: ({ c, params, query }) => listEventsResponse(c, params.uuid, query),
  }),

  call({
    id: "createEvent",
    method: "POST",
    path: "/v1/events",
    tag: "events",
    summary: "Create an event in a space",
    description:
      "Only the space and the name are required. Missing fields have the defaults of a new form. A `template` supplies missing details in both languages. Its name is used if none is sent, and in the other language if the sent name is the suggested one; there it is left out if another event of the space has it. A sent name that is taken is an error.",
    who: "user",
    may: PERMISSION_TEXTS.event,
    body: z
      .object({
        space_uuid: requiredId("The space of the event."),
        template,
        ...eventFields,
      })
      .meta({ anyOf: [{ required: ["event_name"] }, { required: ["names"] }, { required: ["template"] }] }),
    status: 201,
    response: EventSchema,
    problems: [
      "forbidden",
      "event_name_taken",
      "weak_password",
      "too_many_events",
      "too_many_space_events",
      "content_full",
    ],
    acceptsIdempotencyKey: true,
    hasEtag: true,
    handle: async ({ c, services, actor, user, body, rawBody }) => {
      const { template: templateName = null, space_uuid: spaceId } = body;
      const isUnnamed = rawBody.event_name === undefined && rawBody.names === undefined;
      const namedValues =
        templateName && isUnnamed ? { ...rawBody, names: EVENT_TEMPLATES[templateName].name } : rawBody;
      const values = await readForm(c, user, namedValues, null);
      const template = templateName ? { name: templateName, lang: user.language } : undefined;
      const { eventName } = values;
      const creating = services.events.createEvent({ actor, spaceId, eventName, values, template });
      return eventJson(await withBodyFieldNames(creating, () => bodyNamesOfTexts(rawBody)));
    },
  }),

  call({
    id: "updateEvent",
    method: "PUT",
    path: "/v1/events/{uuid}",
    tag: "events",
    summary: "Change an event",
    description:
      "Changes only the given fields, and nothing if one of them is invalid. Without `version` the change is based on the saved version.",
    who: "user",
    may: PERMISSION_TEXTS.event,
    body: z.object({
      ...eventFields,
      space_uuid: optionalId("The current value. It cannot be changed."),
      version: uncheckedOptionalField({
        type: "integer",
        minimum: 0,
        description:
          "The version on which the change is based. If another version is saved, the response is 409.",
      }),
    }),
    response: EventSchema,
    problems: ["forbidden", "event_name_taken", "weak_password", "content_full"],
    hasEtag: true,
    acceptsIfMatch: true,
    handle: async ({ c, services, actor, user, params: { uuid: eventId }, body, rawBody }) => {
      const { event } = await services.events.getEvent({ actor, eventId });
      if (body.space_uuid !== undefined && body.space_uuid !== event.spaceId)
        throw new InvalidError({ space_uuid: [{ key: "shared-owners:errors.field.invalid" }] });
      const values = await readForm(c, user, rawBody, event);
      const updating = services.events.updateEvent({ actor, eventId, values });
      const result = await withBodyFieldNames(updating, () => bodyNamesOfTexts(rawBody));
      if (result.status === "conflict")
        throw new ConflictError(eventJson(result.saved), withoutSecrets(rawBody));
      return eventJson(result.event);
    },
  }),

  call({
    id: "deleteEvent",
    method: "DELETE",
    path: "/v1/events/{uuid}",
    tag: "events",
    summary: "Move an event to the trash of its space",
    description: "It can be restored for 30 days. `last_event`: the only event of a space cannot be deleted.",
    who: "user",
    may: PERMISSION_TEXTS.eventOwner,
    response: DeletedSchema,
    problems: ["forbidden", "last_event", "stale_version"],
    acceptsIfMatch: true,
    savedSchema: EventSchema,
    handle: async ({ services, actor, params: { uuid }, expectedVersion }) => {
      try {
        await services.events.deleteEvent({ actor, eventId: uuid, version: expectedVersion });
      } catch (error) {
        throw error instanceof ConflictError
          ? new ConflictError(eventJson(error.saved as Event), null)
          : error;
      }
      return deletedJson(uuid);
    },
  }),
];

/**
 * Validates the sent values by the schema of the event form. Missing ones are those of the saved event, or the defaults of a new one.
 * @throws InvalidError with the field names of the body
 */
function readForm(
  c: ApiCall,
  { timeZone }: User,
  body: Readonly<Record<string, unknown>>,
  saved: Event | null,
) {
  // As in the page's form, a missing token keeps the saved one while the store stays the same.
  const form: Record<string, unknown> = {
    ...(saved ? eventFormInput({ ...saved, spAccessToken: null }, timeZone) : NEW_EVENT_INPUT),
  };
  const mayKeepStoreToken = saved?.spAccessToken != null && !Object.hasOwn(body, "sp_access_token");
  for (const [name, field] of Object.entries(FORM_FIELDS)) {
    if (Object.hasOwn(body, name)) form[field] = body[name];
  }
  form.eventName = mergeSentName(saved?.eventName ?? null, body.event_name, body.names);
  form.eventDetail = mergeSentText(saved?.eventDetail ?? null, body.event_detail, body.details);
  if (Object.hasOwn(body, "url_params")) {
    form.urlParams = parseUrlParams(body.url_params);
    form.extraParams = [];
  }
  const isAllowedLocalHost = c.env.config.isAllowedLocalHost;
  const { now } = c.env;
  const schema = createEventSchema({
    now,
    timeZone,
    saved,
    hasSavedStoreToken: mayKeepStoreToken,
    urlParams,
    isAllowedLocalHost,
  });
  return withBodyFieldNames(validate(schema, form), () => bodyNamesOfTexts(body));
}

/** Returns the body's field for each field of the model that has a text of the event. Errors are reported for these fields. */
export function bodyNamesOfTexts(body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...bodyNamesOfText(body, "eventName", "event_name", "names"),
    ...bodyNamesOfText(body, "eventDetail", "event_detail", "details"),
  ]);
}

/**
 * Returns the body's field for the text itself (`field`) and for its part in each language.
 * @param field name of the text in the model
 * @param single name of the body's field with one text
 * @param all name of the body's field with the texts of all languages
 */
function bodyNamesOfText(
  body: Readonly<Record<string, unknown>>,
  field: string,
  single: string,
  all: string,
): readonly (readonly [string, string])[] {
  const byLang = body[all];
  const isSingle = (lang: Lang) =>
    body[single] !== undefined && !(isRecord(byLang) && Object.hasOwn(byLang, lang));
  const isAll = body[single] === undefined ? body[all] !== undefined : !isRecord(byLang ?? {});
  return [
    [field, isAll ? all : single],
    ...LANGS.map((lang) => [`${field}.${lang}`, isSingle(lang) ? single : `${all}.${lang}`] as const),
  ];
}

/** Parses url_params if it is a JSON text (specification §7). The schema checks the result. */
function parseUrlParams(value: unknown): unknown {
  if (typeof value !== "string" || value === "") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The submitted values for the conflict response, without secrets. */
function withoutSecrets(body: Readonly<Record<string, unknown>>) {
  const secrets: readonly string[] = EVENT_FORM_SECRETS;
  const names: Readonly<Record<string, string>> = FORM_FIELDS;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !secrets.includes(names[name] ?? "")));
}
